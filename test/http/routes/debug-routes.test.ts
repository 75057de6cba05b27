import { hashSync } from "bcryptjs";
import { expect, test, vi } from "vitest";
import { startServer } from "../../../src/http/server/start-server.ts";
import type { Inspection } from "../../../src/http/inspection.ts";
import { gate } from "../ask.ts";
import { dependencies } from "../fixtures.ts";
import { serving, textOf } from "../serving.ts";

const PATHS = ["/debug/heap", "/debug/profile?seconds=1"];
const web = { users: { admin: hashSync("right", 4) } };
const login = { authorization: `Basic ${Buffer.from("admin:right").toString("base64")}` };
const REQUIRES = /^--web\.enable-debug requires basic_auth_users, .* heap snapshots hold credentials$/;

const { start: startWith } = serving();

function scripted(replaced: Partial<Inspection> = {}) {
  return {
    heapSnapshot: vi.fn(() => Promise.resolve<readonly Uint8Array[] | undefined>([Buffer.from("{"), Buffer.from("}")])),
    cpuProfile: vi.fn((seconds: number) => Promise.resolve(`profile of ${seconds} s`)),
    ...replaced,
  };
}

const start = async (inspection?: Inspection) => (await startWith({ inspection }, { web })).address;
const get = async (address: string, path: string, headers: Record<string, string> = login) =>
  textOf(address + path, { headers });

test("without the flag there are no such pages, with a login too", async () => {
  const address = await start();
  for (const path of PATHS) expect((await get(address, path)).status).toBe(404);
});

test("without a login they answer 401, and nothing is made", async () => {
  const inspection = scripted();
  const address = await start(inspection);
  for (const path of PATHS) {
    expect((await get(address, path, {})).status).toBe(401);
    const wrong = { authorization: `Basic ${Buffer.from("admin:wrong").toString("base64")}` };
    expect((await get(address, path, wrong)).status).toBe(401);
  }
  expect(inspection.heapSnapshot).not.toHaveBeenCalled();
  expect(inspection.cpuProfile).not.toHaveBeenCalled();
});

test("with a login they are files to download", async () => {
  const address = await start(scripted());
  const heap = await get(address, "/debug/heap");
  expect([heap.status, heap.text]).toEqual([200, "{}"]);
  expect(heap.headers["content-disposition"]).toBe('attachment; filename="avax-exporter.heapsnapshot"');
  expect(heap.headers["cache-control"]).toBe("no-store");
  const profile = await get(address, "/debug/profile?seconds=60");
  expect([profile.status, profile.text]).toEqual([200, "profile of 60 s"]);
  expect(profile.headers["content-disposition"]).toBe('attachment; filename="avax-exporter.cpuprofile"');
  expect((await get(address, "/debug/profile")).text).toBe("profile of 10 s");
});

test.each(["", "0", "61", "-1", "1.5", "100", "1e1", "ten"])("?seconds=%s is refused", async (seconds) => {
  const inspection = scripted();
  const { status, text } = await get(await start(inspection), `/debug/profile?seconds=${seconds}`);
  expect([status, text]).toEqual([400, expect.stringContaining("from 1 to 60")]);
  expect(inspection.cpuProfile).not.toHaveBeenCalled();
});

test("one is made at a time, of both kinds together, and the next one after it", async () => {
  const { opened, open } = gate();
  const inspection = scripted({ cpuProfile: vi.fn(() => opened.then(() => "first")) });
  const address = await start(inspection);
  const first = get(address, "/debug/profile");
  await vi.waitFor(() => expect(inspection.cpuProfile).toHaveBeenCalledTimes(1));
  for (const path of PATHS) expect((await get(address, path)).status).toBe(409);
  expect(inspection.heapSnapshot).not.toHaveBeenCalled();
  open();
  expect((await first).text).toBe("first");
  await vi.waitFor(async () => expect((await get(address, "/debug/heap")).status).toBe(200));
});

test("after a failure the next one is made", async () => {
  const heapSnapshot = vi.fn(() => Promise.resolve<readonly Uint8Array[] | undefined>([]));
  heapSnapshot.mockRejectedValueOnce(new Error("no memory"));
  const address = await start(scripted({ heapSnapshot }));
  expect((await get(address, "/debug/heap")).status).toBe(500);
  await vi.waitFor(async () => expect((await get(address, "/debug/heap")).status).toBe(200));
});

test("a huge heap is refused", async () => {
  const address = await start(scripted({ heapSnapshot: () => Promise.resolve(undefined) }));
  const { status, text } = await get(address, "/debug/heap");
  expect([status, text]).toEqual([503, "The heap is larger than 512 MB: no snapshot is made.\n"]);
});

test("a page of another site cannot make a browser ask for them", async () => {
  const inspection = scripted();
  const address = await start(inspection);
  for (const path of PATHS) {
    const headers = { ...login, "sec-fetch-site": "cross-site" };
    expect((await get(address, path, headers)).status).toBe(403);
  }
  expect(inspection.heapSnapshot).not.toHaveBeenCalled();
});

test("they require a login: the server neither starts nor reloads without one", async () => {
  const { deps } = dependencies({ inspection: scripted() });
  const listen = "127.0.0.1:0";
  for (const without of [undefined, {}, { users: {} }])
    await expect(startServer({ listen, web: without }, deps)).rejects.toThrow(REQUIRES);
  const { secure } = await startWith({ inspection: scripted() }, { web });
  expect(() => secure({ users: {} })).toThrow(REQUIRES);
});
