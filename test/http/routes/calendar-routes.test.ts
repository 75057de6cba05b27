import { expect, it } from "vitest";
import type { CalendarDate } from "../../../src/diagnosis/validator/calendar-of.ts";
import { serving } from "../serving.ts";

const AT = Date.UTC(2027, 0, 16, 8) / 1000;
const dates = [
  { id: "end/a", at: AT, title: "Alpha: stake ends, at last", text: "Stake again.", about: ["NodeID-A", "Alpha"] },
  { id: "upgrade/x", at: AT, title: "Upgrade", text: "", about: [] },
];
const WEB = { web: { users: { me: "$2y$04$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG" } } };

const { get: getFrom } = serving();

type Given = { readonly dates?: readonly CalendarDate[]; readonly token?: string | undefined; readonly web?: object };

const get = (path: string, { dates: those = dates, token: calendarToken, web = {} }: Given = {}) =>
  getFrom(path, { calendar: () => Promise.resolve(those), calendarToken }, web);

/** Component, property and value of each line, by the rules of RFC 5545. */
function linesOf(text: string): ReadonlyArray<readonly [component: string, name: string, value: string]> {
  expect(text.endsWith("\r\n")).toBe(true);
  for (const line of text.slice(0, -2).split("\r\n")) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  }
  const open: string[] = [];
  const lines = text.slice(0, -2).replaceAll("\r\n ", "").split("\r\n");
  const found = lines.flatMap((line) => {
    const [, name = "", value = ""] = /^([A-Z-]+)(?:;[A-Z-]+=[^:;,]+)*:(.*)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    if (name === "BEGIN") open.push(value);
    else if (name === "END") expect(open.pop()).toBe(value);
    else return [[open.join("/"), name, value] as const];
    return [];
  });
  expect(open).toEqual([]);
  return found;
}

it("follows RFC 5545, with an entry of a stable ID for each date", async () => {
  const long = { id: "end/b", at: AT, title: `Ä; "b" \\ c,\nd: ${"é".repeat(60)}`, text: "e", about: [] };
  const { status, headers, text } = await get("/calendar.ics", { dates: [...dates, long] });
  expect([status, headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
  const lines = linesOf(text);
  const valuesOf = (component: string, name: string) =>
    lines.flatMap(([of, each, value]) => (of === component && each === name ? [value] : []));
  expect(valuesOf("VCALENDAR", "VERSION")).toEqual(["2.0"]);
  expect(valuesOf("VCALENDAR", "PRODID")).toHaveLength(1);
  const uids = valuesOf("VCALENDAR/VEVENT", "UID");
  expect(uids).toEqual(["end/a", "upgrade/x", "end/b"].map((id) => `${id}@avax-exporter`));
  for (const name of ["DTSTAMP", "DTSTART", "DTEND"]) {
    const times = valuesOf("VCALENDAR/VEVENT", name);
    expect(times).toHaveLength(uids.length);
    for (const time of times) expect(time).toMatch(/^\d{8}T\d{6}Z$/);
  }
  expect(valuesOf("VCALENDAR/VEVENT", "DTSTART")[0]).toBe("20270116T080000Z");
  const titles = valuesOf("VCALENDAR/VEVENT", "SUMMARY");
  // Each reminds a day ahead, with its title.
  expect(valuesOf("VCALENDAR/VEVENT/VALARM", "TRIGGER")).toEqual(uids.map(() => "-P1D"));
  expect(valuesOf("VCALENDAR/VEVENT/VALARM", "ACTION")).toEqual(uids.map(() => "DISPLAY"));
  expect(valuesOf("VCALENDAR/VEVENT/VALARM", "DESCRIPTION")).toEqual(titles);
  expect(titles.at(-1)).toBe(`Ä\\; "b" \\\\ c\\,\\nd: ${"é".repeat(60)}`);
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
  expect((await get(path, { token, web: WEB })).status).toBe(status);
});
