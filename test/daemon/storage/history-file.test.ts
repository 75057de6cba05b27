import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../support/folders.ts";
import { openStorage } from "../../../src/daemon/storage/storage.ts";
import { NOTHING_REMEMBERED } from "../../../src/poller/poll/memory.ts";
import { observe, type History } from "../../../src/diagnosis/history/observe.ts";
import { ALONE } from "../../../src/daemon/shard/shard.ts";
import { evaluation, problem, START } from "../../diagnosis/history/evaluations.ts";

type Step = Parameters<typeof evaluation>[0];

function openProcess(folder: string, steps: readonly Step[]) {
  const logged: string[] = [];
  const outcomes: boolean[] = [];
  const note = (data: object, message: string): void => {
    logged.push("why" in data ? `${message}: ${String(data.why)}` : message);
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const storage = openStorage({ folder, shard: ALONE, clock: { now: () => START, elapsed: () => 0 }, log });
  if ("problem" in storage) throw new Error(storage.problem);
  storage.onWrite((ok) => outcomes.push(ok));
  const file = { ...storage.history, close: () => storage.close(NOTHING_REMEMBERED) };
  let { history } = file;
  for (const step of steps) {
    history = observe(history, evaluation(step));
    file.write(history);
  }
  return { before: file.history, history, logged, outcomes, file };
}

/** A process that evaluates these steps and ends. */
async function processOf(...args: Parameters<typeof openProcess>) {
  const open = openProcess(...args);
  await open.file.close();
  return open;
}

const textOf = (folder: string, name = "history.ndjson"): string => readFileSync(join(folder, name), "utf8");
const spans = ({ entries }: History): readonly string[] =>
  entries.map(({ kind, from, to }) => `${kind} ${from - START}..${to === undefined ? "" : to - START}`);

describe("the file of the history", () => {
  it("keeps what happened, and open problems continue in the next process", async () => {
    const folder = folderWith();
    const nodes = { a: { up: true, version: "v1", nodeId: "NodeID-a" }, b: { up: false } };
    const first = await processOf(folder, [
      { at: 0, causes: [problem("a")], nodes },
      { at: 15, causes: [problem("b", { since: START + 15 })], nodes },
    ]);
    expect(first.logged).toEqual([]);
    expect(statSync(join(folder, "history.ndjson")).mode & 0o777).toBe(0o600);
    const second = await processOf(folder, [
      { at: 600, causes: [problem("b", { since: START + 15 })], nodes: { ...nodes, a: { up: true, version: "v2" } } },
      { at: 615, causes: [], nodes: { a: { up: true }, b: { up: true } } },
      { at: 800, causes: [], nodes: { a: { up: true }, b: { up: true } } },
    ]);
    expect(second.logged).toEqual(["continuing from the history"]);
    expect(second.before).toMatchObject({ completeSince: START, aliveAt: START + 15, cut: false, running: false });
    expect(second.before.entries).toEqual(first.history.entries);
    expect(spans(second.history)).toEqual([
      "started 0..0",
      "unanswered 0..615",
      "problem 0..15",
      "problem 15..615",
      "started 15..600",
      "version 600..600",
    ]);
    expect((await processOf(folder, [])).before.entries).toEqual(second.history.entries);
  });

  it("ignores a last line that has no end", async () => {
    const folder = folderWith();
    await processOf(folder, [{ at: 0, causes: [problem("a")] }]);
    const whole = textOf(folder);
    for (let cut = whole.lastIndexOf("\n", whole.length - 2) + 1; cut < whole.length; cut += 7) {
      writeFileSync(join(folder, "history.ndjson"), whole.slice(0, cut));
      const next = await processOf(folder, []);
      expect(next.before.entries).toHaveLength(2);
      expect(next.logged).toEqual(["continuing from the history"]);
    }
    appendFileSync(join(folder, "history.ndjson"), '{"id":9,"ki');
    await processOf(folder, [{ at: 900, causes: [problem("a")] }]);
    // The next process writes the file again, so that its lines do not continue the torn one.
    expect(textOf(folder)).not.toContain('{"id":9,"ki{');
    expect(spans((await processOf(folder, [])).before)).toEqual(["started 0..0", "problem 0..", "started 0..900"]);
  });

  it("that is damaged is ignored with a reason, and replaced", async () => {
    const folder = folderWith();
    writeFileSync(join(folder, "history.ndjson"), '{"version":1}\n{"kind":"problem","id":1}\n');
    const one = await processOf(folder, [{ at: 0, causes: [problem("a")] }]);
    expect(one.logged).toEqual(["the history is ignored: line 2 has another form than expected"]);
    expect((await processOf(folder, [])).before.entries).toHaveLength(2);
  });

  it("does not forget that the exporter ran when nothing happens, and is written once a minute then", async () => {
    const folder = folderWith();
    const one = openProcess(folder, []);
    let { history } = one;
    for (let at = 0; at <= 600; at += 15) {
      history = observe(history, evaluation({ at, causes: [] }));
      one.file.write(history);
      // A write that begins ends before the next one.
      await expect.poll(() => readdirSync(folder)).toEqual(["history.ndjson"]);
    }
    await one.file.close();
    expect(one.outcomes.length).toBeLessThanOrEqual(12);
    const next = await processOf(folder, [{ at: 700, causes: [] }]);
    expect(spans(next.history).at(-1)).toBe("started 600..700");
  });

  it("writes at its end what it could not write before", async () => {
    const folder = folderWith();
    mkdirSync(join(folder, "history.ndjson.tmp"));
    const one = openProcess(folder, [{ at: 0, causes: [problem("a")] }]);
    await expect.poll(() => one.outcomes).toEqual([false]);
    rmSync(join(folder, "history.ndjson.tmp"), { recursive: true });
    await one.file.close();
    expect(one.outcomes).toEqual([false, true]);
    expect(spans((await processOf(folder, [])).before)).toEqual(["started 0..0", "problem 0.."]);
  });

  it("begins no write once it ends: a diagnosis that was under way can end after it", async () => {
    const folder = folderWith();
    const empty = openProcess(folder, []);
    const ended = empty.file.close();
    empty.file.write(observe(empty.history, evaluation({ at: 0, causes: [problem("a")] })));
    await ended;
    empty.file.write(observe(empty.history, evaluation({ at: 15, causes: [problem("a")] })));
    await empty.file.close();
    expect(empty.outcomes).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
