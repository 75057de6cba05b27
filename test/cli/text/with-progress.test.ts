import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { progressBar, withProgress } from "../../../src/cli/text/with-progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is written to standard error in a time. */
async function written(isErrorTerminal: boolean, what: string | (() => string), time: number): Promise<string> {
  let text = "";
  const result = new Promise((resolve) => setTimeout(resolve, time));
  const err = (more: string) => void (text += more);
  const progress = isErrorTerminal ? (words: string) => err(`|${words}`) : undefined;
  const shown = withProgress({ err, progress }, what, result);
  await vi.advanceTimersByTimeAsync(time);
  await shown;
  return text;
}

it("shows on a terminal what takes longer than a second, and removes it", async () => {
  expect(await written(true, "asking", 900)).toBe("");
  expect(await written(true, "asking", 2_500)).toBe("|asking: 1 s|asking: 2 s|");
});

it("writes a line each three seconds elsewhere, where the words change", async () => {
  expect(await written(false, "asking", 9_500)).toBe("");
  let done = 0;
  const bar = () => progressBar("polling", ++done === 3 ? 3 : 8, 8);
  expect(await written(false, bar, 9_500)).toBe(
    "[#########---------------] polling 3 of 8 nodes\n[########################] polling 8 of 8 nodes\n",
  );
});

it("a bar is as long for one node as for many", () => {
  expect(progressBar("polling", 0, 1)).toBe("[------------------------] polling 0 of 1 node");
  expect(progressBar("diagnosing", 8, 8)).toBe("[########################] diagnosing 8 of 8 nodes");
});
