import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { Diagnosis } from "../../../src/diagnosis/finding.ts";
import { createEvents, LISTENERS } from "../../../src/http/routes/event-stream.ts";
import { startServer } from "../../../src/http/server/server.ts";
import { ask } from "../ask.ts";
import { consequence, dependencies, diagnosis, problem, NOW } from "../fixtures.ts";

const LOG = { warn: () => undefined, error: () => undefined };

/** A clock that tests advance. */
function stoppedClock(): {
  after: (seconds: number, run: () => void) => () => void;
  pass: (seconds: number) => Promise<void>;
  armed: () => number;
} {
  let now = NOW;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    after(seconds, run) {
      const timer = { at: now + seconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async pass(seconds) {
      for (let left = seconds; left > 0; left -= 1) {
        now += 1;
        for (const timer of [...timers].filter(({ at }) => at <= now)) {
          timers.delete(timer);
          timer.run();
        }
        await new Promise(setImmediate);
      }
    },
    armed: () => timers.size,
  };
}

function listener(): {
  readonly sink: { write: (text: string) => void; end: () => void };
  readonly received: string[];
} {
  const received: string[] = [];
  return { received, sink: { write: (text) => void received.push(text), end: () => undefined } };
}

test("every listener receives each new diagnosis once; without listeners there are no diagnoses", async () => {
  const clock = stoppedClock();
  let diagnoses = 0;
  const diagnose = (): Promise<Diagnosis> =>
    Promise.resolve(diagnosis([problem({}, [consequence()])], { at: NOW + Math.floor(diagnoses++ / 2) }));
  const events = createEvents(diagnose, LOG, clock);
  expect([diagnoses, clock.armed()]).toEqual([0, 0]);
  const [first, second] = [listener(), listener()];
  const leave = [events.listen(first.sink), events.listen(second.sink)];
  await clock.pass(3);
  const event = (at: number) => `data: {"at":${at},"critical":1,"warning":0,"info":0,"pending":0,"consequences":1}\n\n`;
  expect(first.received).toEqual([event(NOW), event(NOW + 1)]);
  expect(second.received).toEqual(first.received);
  for (const each of leave) each();
  await clock.pass(10);
  expect([diagnoses, clock.armed()]).toEqual([3, 0]);
});

test("a diagnosis is sent once; a failed one does not end the stream", async () => {
  const clock = stoppedClock();
  let failing = false;
  const diagnose = () => (failing ? Promise.reject(new Error("defect")) : Promise.resolve(diagnosis([])));
  const errors: string[] = [];
  const events = createEvents(diagnose, { ...LOG, error: (_data, message) => errors.push(message) }, clock);
  const { sink, received } = listener();
  events.listen(sink);
  await clock.pass(2);
  failing = true;
  await clock.pass(30);
  expect(received.filter((text) => text.startsWith("data"))).toHaveLength(1);
  expect(errors.length).toBeGreaterThan(10);
});

test("the number of listeners is limited; one that leaves frees a place", () => {
  const events = createEvents(() => Promise.resolve(diagnosis([])), LOG, stoppedClock());
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
  const found = diagnosis([problem()]);
  const { deps } = dependencies({ diagnosis: () => Promise.resolve(found) });
  const running = await startServer({ listen: "127.0.0.1:0" }, deps);
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
