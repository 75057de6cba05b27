import { afterEach, describe, expect, it } from "vitest";
import { createCleanup } from "../support/create-cleanup.ts";
import { answer, loadRecording, RECORDING_NAMES, type RecordedAnswer, type Recording } from "./support/recording.ts";
import { startRecordingServer } from "./support/recording-server.ts";

const cleanup = createCleanup();
afterEach(cleanup.run);

type Sent = { readonly method: string; readonly path: string; readonly body?: string };
type Received = {
  readonly status: number;
  readonly nodeId: string | null;
  readonly date: string | null;
  readonly body: string;
};

async function asking(recording: Recording): Promise<(request: Sent) => Promise<Received>> {
  const server = await startRecordingServer(recording);
  cleanup.add(server.close);
  return async ({ method, path, body }) => {
    const response = await fetch(`${server.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    const { status, headers } = response;
    return { status, nodeId: headers.get("node-id"), date: headers.get("date"), body: await response.text() };
  };
}

/** The same request with another id, and its keys in another order. */
function reworded({ request }: RecordedAnswer): Sent {
  if (request.body === undefined) return request;
  if (!request.body.startsWith('{"')) return request; // A batch is answered under the ids of its requests.
  const json = JSON.parse(request.body) as { method: string; params?: object };
  const { method, params } = json;
  const turned =
    params === undefined || Array.isArray(params) ? params : Object.fromEntries(Object.entries(params).reverse());
  return { ...request, body: JSON.stringify({ params: turned, method, id: 77, jsonrpc: "2.0" }) };
}

function rpc(method: string, params: object = {}): Sent {
  return {
    method: "POST",
    path: method.startsWith("info.") ? "/ext/info" : "/ext/bc/P",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

describe("a recording server", () => {
  it.each(RECORDING_NAMES)("answers every well-formed request of %s with the recorded bytes", async (name) => {
    const recording = loadRecording(name);
    const ask = await asking(recording);
    const wellFormed = recording.answers.filter((each) => !each.name.startsWith("http."));
    for (const each of wellFormed) {
      const first =
        wellFormed.find(({ request }) => request.path === each.request.path && request.body === each.request.body) ??
        each;
      const { status, headers, body } = first.response;
      expect(await ask(reworded(each)), each.name).toEqual({
        status,
        nodeId: headers["node-id"] ?? null,
        date: null,
        body,
      });
    }
    expect(wellFormed.length).toBeGreaterThan(80);
  });

  it("answers a request for some records from the whole set, like the recorded answers to such requests", async () => {
    const recording = loadRecording("local-healthy-validator");
    const ask = await asking(recording);
    const two = { nodeIDs: ["NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"] };
    const { body } = await ask(rpc("platform.getCurrentValidators", two));
    const { validators } = (
      JSON.parse(body) as { result: { validators: ReadonlyArray<{ nodeID: string; weight: string }> } }
    ).result;
    expect(validators.map(({ nodeID, weight }) => `${nodeID} ${weight}`).sort()).toEqual([
      "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg 2000000000000000",
      "NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ 2000000000000000",
    ]);
  });

  it("knows no other method and no other path", async () => {
    const recording = loadRecording("local-healthy-validator");
    const ask = await asking(recording);
    expect((await ask(rpc("info.nothing"))).body).toContain(
      `"code":-32000,"message":"rpc: can't find method \\"info.Nothing\\""`,
    );
    expect(await ask({ method: "GET", path: "/nothing" })).toMatchObject({ status: 404, body: "404 page not found\n" });
  });

  it("answers every request about a chain that it is not bootstrapped", async () => {
    const recording = loadRecording("custom-bootstrapping");
    const ask = await asking(recording);
    const { status, body } = answer(recording, "platform.getHeight").response;
    expect(await ask(rpc("platform.getCurrentValidators", { nodeIDs: ["NodeID-x"] }))).toMatchObject({ status, body });
    expect(status).toBe(503);
  });
});
