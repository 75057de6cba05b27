import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Diagnosis } from "../../../src/diagnosis/finding.ts";
import { createEvents, LISTENERS } from "../../../src/http/routes/events-route.ts";
import { ask } from "../ask.ts";
import { consequence, diagnosis, problem, NOW } from "../fixtures.ts";
import { serving } from "../serving.ts";

const { start } = serving();
const LOG = { warn: () => undefined, error: () => undefined };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

function listener(): {
  readonly sink: { write: (text: string) => void; end: () => void };
  readonly received: string[];
} {
  const received: string[] = [];
  return { received, sink: { write: (text) => void received.push(text), end: () => undefined } };
}

test("every listener receives each new diagnosis once; without listeners there are no diagnoses", async () => {
  let diagnoses = 0;
  const diagnose = (): Promise<Diagnosis> =>
    Promise.resolve(diagnosis([problem({}, [consequence()])], { at: NOW + Math.floor(diagnoses++ / 2) }));
  const events = createEvents(diagnose, LOG);
  expect([diagnoses, vi.getTimerCount()]).toEqual([0, 0]);
  const [first, second] = [listener(), listener()];
  const leave = [events.listen(first.sink), events.listen(second.sink)];
  await pass(3);
  const event = (at: number) => `data: {"at":${at},"critical":1,"warning":0,"info":0,"pending":0,"consequences":1}\n\n`;
  expect(first.received).toEqual([event(NOW), event(NOW + 1)]);
  expect(second.received).toEqual(first.received);
  for (const each of leave) each();
  await pass(10);
  expect([diagnoses, vi.getTimerCount()]).toEqual([4, 0]);
});

test("a diagnosis is sent once; a failed one does not end the stream", async () => {
  let failing = false;
  const diagnose = () => (failing ? Promise.reject(new Error("defect")) : Promise.resolve(diagnosis([])));
  const errors: string[] = [];
  const events = createEvents(diagnose, { ...LOG, error: (_data, message) => errors.push(message) });
  const { sink, received } = listener();
  events.listen(sink);
  await pass(2);
  failing = true;
  await pass(30);
  expect(received.filter((text) => text.startsWith("data"))).toHaveLength(1);
  expect(errors.length).toBeGreaterThan(10);
});

test("the number of listeners is limited; one that leaves frees a place", () => {
  const events = createEvents(() => Promise.resolve(diagnosis([])), LOG);
  const leave = Array.from({ length: LISTENERS }, () => events.listen(listener().sink));
  expect(events.full()).toBe(true);
  leave[0]?.();
  expect(events.full()).toBe(false);
});

function open(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on("error", reject);
  });
}

test("over HTTP events arrive while the reply goes on; it ends when the server closes, and one too many is refused", async () => {
  vi.useRealTimers();
  const found = diagnosis([problem()]);
  const running = await start({ diagnosis: () => Promise.resolve(found) });
  const url = `${running.address}/api/v1/events`;
  const all = await Promise.all(Array.from({ length: LISTENERS }, () => open(url)));
  const [first] = all;
  expect([first?.statusCode, first?.headers["content-type"], first?.headers["cache-control"]]).toEqual([
    200,
    "text/event-stream",
    "no-store",
  ]);
  const { status, headers } = await ask(url);
  expect([status, headers["retry-after"]]).toEqual([503, "30"]);
  let text = "";
  for await (const chunk of first ?? []) {
    text += String(chunk);
    if (text.includes("consequences")) await running.close();
  }
  expect(text).toContain(`data: {"at":${NOW},"critical":1,"warning":0,"info":0,"pending":0,"consequences":0}\n\n`);
});
