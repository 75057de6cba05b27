import { expect, it } from "vitest";
import { createInFlight, type Charge } from "../../../src/api/transport/in-flight.ts";

const MB = 1024 * 1024;

/** An answer that notes whether it may be received. */
function answerOf(charge: Charge) {
  let paused = false;
  const flow = { pause: () => void (paused = true), resume: () => void (paused = false) };
  return { receive: (bytes: number) => charge.add(bytes, flow), end: charge.end, isPaused: () => paused };
}

it("receives the first large answer of a server whatever its size, and the next one once it has ended", () => {
  const server = createInFlight(8 * MB).ofServer();
  const [first, second] = [answerOf(server.begin()), answerOf(server.begin())];
  first.receive(7 * MB);
  second.receive(MB);
  expect([first.isPaused(), second.isPaused()]).toEqual([false, true]);
  for (let part = 0; part < 25; part++) first.receive(MB);
  expect(first.isPaused()).toBe(false);
  first.end();
  expect(second.isPaused()).toBe(false);
  second.receive(30 * MB);
  expect(second.isPaused()).toBe(false);
});

it("bounds what a server that sends answers below the limit on every endpoint costs", () => {
  const inFlight = createInFlight(8 * MB, 128 * MB);
  const server = inFlight.ofServer();
  const answers = Array.from({ length: 20 }, () => answerOf(server.begin()));
  const LIMIT = 32 * MB;
  const left = new Map(answers.map((answer) => [answer, LIMIT]));
  let most = 0;
  // All connections deliver in turn, as far as they may; what is complete is read and ends.
  while (left.size > 0) {
    for (const [answer, bytes] of left) {
      if (answer.isPaused()) continue;
      answer.receive(65_536);
      left.set(answer, bytes - 65_536);
      most = Math.max(most, inFlight.bytes());
      if (bytes - 65_536 > 0) continue;
      answer.end();
      left.delete(answer);
    }
  }
  expect(most).toBeLessThan(LIMIT + 8 * MB + 20 * 2 * 65_536);
  expect(inFlight.bytes()).toBe(0);
});

it("does not hold up usual answers, or another server, while a server is beyond its bound", () => {
  const inFlight = createInFlight(8 * MB, 128 * MB);
  const [bad, good] = [inFlight.ofServer(), inFlight.ofServer()];
  const [large, small, other] = [answerOf(bad.begin()), answerOf(bad.begin()), answerOf(good.begin())];
  large.receive(32 * MB);
  small.receive(100_000);
  other.receive(6 * MB);
  expect([small.isPaused(), other.isPaused()]).toEqual([false, false]);
});

it("bounds the process: large answers of further servers wait, and one always goes on", () => {
  const inFlight = createInFlight(8 * MB, 64 * MB);
  const answers = Array.from({ length: 10 }, () => answerOf(inFlight.ofServer().begin()));
  for (const answer of answers) answer.receive(MB);
  // Each can be one part beyond the bound.
  for (let part = 0; part < 40; part++) for (const answer of answers) if (!answer.isPaused()) answer.receive(MB);
  expect(answers.map((answer) => answer.isPaused())).toEqual([false, ...Array.from({ length: 9 }, () => true)]);
  expect(inFlight.bytes()).toBeLessThan((64 + 10 + 41) * MB);
  for (const answer of answers) answer.end();
  expect(inFlight.bytes()).toBe(0);
  expect(answers.some((answer) => answer.isPaused())).toBe(false);
});

it("resumes no more answers than have room, in the order in which they began to wait", () => {
  const inFlight = createInFlight(8 * MB, 16 * MB);
  const [first, ...others] = Array.from({ length: 61 }, () => answerOf(inFlight.ofServer().begin()));
  first?.receive(20 * MB);
  for (const answer of others) answer.receive(MB / 4);
  const paused = () => others.flatMap((answer, index) => (answer.isPaused() ? [index] : []));
  expect(paused()).toHaveLength(60);
  // 15 MiB are left: the one that is always received, and 16 pieces.
  first?.end();
  expect(paused()).toEqual(Array.from({ length: 43 }, (_, index) => index + 17));
  for (const answer of others) answer.end();
  expect([paused(), inFlight.bytes()]).toEqual([[], 0]);
});

it("names a server held whose answers wait for those of others, and not one that waits for its own", () => {
  const inFlight = createInFlight(8 * MB, 16 * MB);
  const [own, others] = [inFlight.ofServer(), inFlight.ofServer()];
  const [first, second, third] = [answerOf(own.begin()), answerOf(own.begin()), answerOf(others.begin())];
  first.receive(10 * MB);
  second.receive(MB);
  expect([second.isPaused(), own.isHeld(), others.isHeld()]).toEqual([true, false, false]);
  first.receive(6 * MB);
  third.receive(MB);
  expect([third.isPaused(), own.isHeld(), others.isHeld()]).toEqual([true, false, true]);
  first.end();
  expect([second.isPaused(), third.isPaused(), own.isHeld(), others.isHeld()]).toEqual([false, false, false, false]);
  second.end();
  third.end();
  expect(inFlight.bytes()).toBe(0);
});

it("gives back the bytes of an answer once, however often it ends", () => {
  const inFlight = createInFlight();
  const answer = answerOf(inFlight.ofServer().begin());
  answer.receive(MB);
  answer.end();
  answer.end();
  expect(inFlight.bytes()).toBe(0);
});
