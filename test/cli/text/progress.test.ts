import { expect, it, vi } from "vitest";
import { createProgress, waiting } from "../../../src/cli/text/progress.ts";
import type { Step } from "../../../src/daemon/examine.ts";

const STEPS: readonly Step[] = [
  { name: "polling", done: 0, total: 8 },
  { name: "polling", done: 3, total: 8 },
  { name: "polling", done: 3, total: 8 },
  { name: "comparing", done: 8, total: 8 },
  { name: "diagnosing", done: 8, total: 8 },
];

/** What is written to standard error while the steps are `seconds` apart. */
function written(steps: readonly Step[], isErrorTerminal: boolean, seconds: number): string {
  let [text, time] = ["", 0];
  const progress = createProgress({ err: (more) => void (text += more), isErrorTerminal }, { elapsed: () => time });
  for (const step of steps) {
    time += seconds;
    progress.show(step);
  }
  progress.end();
  return text;
}

it("is a bar on a terminal, and cleared at the end", () => {
  expect(written(STEPS, true, 0.2).split("\r\u001b[K")).toEqual([
    "",
    "[------------------------] polled 0 of 8 nodes",
    "[#########---------------] polled 3 of 8 nodes",
    "[########################] comparing 8 nodes",
    "[########################] diagnosing 8 nodes",
    "",
  ]);
});

it("is a line a step elsewhere, and nothing for a short run", () => {
  expect(written(STEPS, false, 3).split("\n")).toEqual([
    "polled 0 of 8 nodes",
    "polled 3 of 8 nodes",
    "comparing 8 nodes",
    "diagnosing 8 nodes",
    "",
  ]);
  expect(written(STEPS, false, 0.2)).toBe("");
});

it("counts one node as one, and writes nothing without a step", () => {
  expect(written([{ name: "polling", done: 0, total: 1 }], false, 5)).toBe("polled 0 of 1 node\n");
  expect(written([], true, 1)).toBe("");
});

it("of what takes longer than a second is shown on a terminal alone, and removed", async () => {
  vi.useFakeTimers();
  for (const isErrorTerminal of [true, false]) {
    const written: string[] = [];
    const result = waiting({ err: (text) => written.push(text), isErrorTerminal }, "polling", after(2_500));
    await vi.advanceTimersByTimeAsync(2_600);
    await result;
    expect(written.join("").replaceAll("\r\u001b[K", "|")).toBe(isErrorTerminal ? "|polling: 1 s|polling: 2 s|" : "");
  }
  vi.useRealTimers();
});

const after = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
