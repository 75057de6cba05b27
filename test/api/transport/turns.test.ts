import { expect, it } from "vitest";
import { createTurns } from "../../../src/api/transport/turns.ts";

/** An event loop whose turns and time the test controls, and readings that note their slices. */
function loop() {
  const calls: Array<() => void> = [];
  const state = { now: 100 };
  const turns = createTurns({ now: () => state.now, nextTurn: (call) => void calls.push(call) });
  const slices: string[] = [];
  const read = async (name: string, left: number, took: number): Promise<void> => {
    await turns.next(left);
    for (let rest = left - 1; rest >= 0; rest--) {
      slices.push(name);
      state.now += took;
      await turns.next(rest);
    }
  };
  /** The slices of a turn. */
  const turn = async (): Promise<string> => {
    state.now += 5;
    slices.length = 0;
    for (const call of calls.splice(0)) call();
    await new Promise((resolve) => setImmediate(resolve));
    return slices.join("");
  };
  return { read, turn, waiting: () => calls.length };
}

it("gives one reading the turn until its time is used up, and no turn where nothing is read", async () => {
  const { read, turn, waiting } = loop();
  const done = read("a", 5, 0.9);
  expect([await turn(), await turn(), await turn(), waiting()]).toEqual(["aaa", "aa", "", 0]);
  await done;
});

it("reads the answer with the least left first, and of equals the one that began first", async () => {
  const { read, turn } = loop();
  const all = [read("large", 4, 1), read("b", 2, 1), read("c", 2, 1)];
  const seen: string[] = [];
  for (let turns = 0; turns < 9; turns++) seen.push(await turn());
  await Promise.all(all);
  expect(seen.filter((text) => text !== "")).toEqual(["bb", "cc", "largelarge", "largelarge"]);
});

it("lets a small answer pass one that is half read", async () => {
  const { read, turn } = loop();
  const large = read("large", 6, 1);
  expect(await turn()).toBe("largelarge");
  const small = read("s", 1, 1);
  expect(await turn()).toBe("s");
  for (let turns = 0; turns < 5; turns++) await turn();
  await Promise.all([large, small]);
});
