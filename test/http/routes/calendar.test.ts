import { afterEach, expect, it } from "vitest";
import { startServer, type Running } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { dependencies } from "../fixtures.ts";

const AT = Date.UTC(2027, 0, 16, 8) / 1000;
const dates = [
  { id: "end/a", at: AT, title: "Alpha: stake ends, at last", text: "Stake again.", about: ["NodeID-A", "Alpha"] },
  { id: "upgrade/x", at: AT, title: "Upgrade", text: "", about: [] },
];
const WEB = { web: { users: { me: "$2y$04$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG" } } };

let running: Running | undefined;
afterEach(async () => running?.close());

async function get(path: string, calendarToken?: string, web = {}) {
  const { deps } = dependencies({ calendar: () => Promise.resolve(dates), calendarToken });
  running = await startServer({ listen: "127.0.0.1:0", ...web }, deps);
  const { status, headers, body } = await ask(running.address + path);
  return { status, type: headers["content-type"], text: body.toString().replaceAll("\r\n ", "") };
}

it("has an entry with a stable ID for each date", async () => {
  const { status, type, text } = await get("/calendar.ics");
  expect([status, type]).toEqual([200, "text/calendar; charset=utf-8"]);
  expect(text).toContain("UID:end/a@avax-exporter\r\n");
  expect(text).toContain("DTSTART:20270116T080000Z\r\n");
  expect(text).toContain("SUMMARY:Alpha: stake ends\\, at last\r\n");
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
});

it.each([
  ["/calendar/Alpha.ics", 200, 2],
  ["/calendar/NodeID-A.ics", 200, 2],
  ["/calendar/nobody.ics", 404, 0],
])("%s answers %s with %s entries", async (path, status, entries) => {
  const reply = await get(path);
  expect([reply.status, reply.text.match(/BEGIN:VEVENT/g)?.length ?? 0]).toEqual([status, entries]);
});

it.each([
  ["needs the login of the pages", undefined, "/calendar.ics", 401],
  ["with a token it needs the token alone", "0123456789abcdef", "/calendar.ics?token=0123456789abcdef", 200],
  ["not another one", "0123456789abcdef", "/calendar.ics?token=0123456789abcdeF", 403],
  ["nor none", "0123456789abcdef", "/calendar/Alpha.ics", 403],
])("%s", async (_what, token, path, status) => {
  expect((await get(path, token, WEB)).status).toBe(status);
});
