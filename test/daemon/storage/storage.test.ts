import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folderWith } from "../../support/folders.ts";
import { readState, stateText } from "../../../src/daemon/storage/read-state.ts";
import type { Storage } from "../../../src/daemon/storage/storage.ts";
import { NOTHING_REMEMBERED, type Memory } from "../../../src/poller/poll/memory.ts";
import { ALONE, type Shard } from "../../../src/daemon/shard/shard.ts";
import { fakeClock } from "../../support/fake-clock.ts";

vi.mock("node:fs/promises", { spy: true });
// Test files share the modules of their process: the one that another file has loaded has the real `rename`.
vi.resetModules();
const { openStorage } = await import("../../../src/daemon/storage/storage.ts");

const NODE_ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
const memoryOf = (...names: readonly string[]): Memory => ({
  nodes: names.map((name) => ({ name, address: "digest", nodeId: NODE_ID, confirmedAt: 1_800_000_000 })),
  states: [],
});

function bench(folder: string, more: { readonly shard?: Shard } = {}) {
  const clock = fakeClock();
  const logged: string[] = [];
  const note = (data: object, message: string): void => {
    const why = "why" in data ? `: ${String(data.why)}` : "";
    logged.push(`${message}${why}`);
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const storage = openStorage({ folder, shard: ALONE, clock, log, ...more });
  return { clock, logged, storage };
}

function opened(folder: string, more: Parameters<typeof bench>[1] = {}) {
  const { storage, ...rest } = bench(folder, more);
  if ("problem" in storage) throw new Error(storage.problem);
  const outcomes: boolean[] = [];
  storage.onWrite((ok) => outcomes.push(ok));
  return { storage, outcomes, ...rest };
}

/** Ticks for each of these seconds and waits for the write that they start. */
async function pass(
  { storage, clock, outcomes }: { storage: Storage; clock: ReturnType<typeof fakeClock>; outcomes: readonly boolean[] },
  seconds: number,
  memory: Memory,
  writes: number,
): Promise<void> {
  const before = outcomes.length;
  for (let second = 0; second < seconds; second++) {
    await clock.pass(1);
    storage.tick(() => memory);
  }
  await vi.waitUntil(() => outcomes.length === before + writes);
}

const contentOf = (folder: string, name = "state.json") => readFileSync(join(folder, name), "utf8");

describe("a state file", () => {
  it("is written 30 s after a change at the earliest, and not without one", async () => {
    const folder = folderWith();
    const one = opened(folder);
    expect(one.storage.memory).toEqual(NOTHING_REMEMBERED);
    await pass(one, 29, memoryOf("a"), 0);
    expect(readdirSync(folder)).toEqual([]);
    await pass(one, 1, memoryOf("a"), 1);
    expect(contentOf(folder)).toBe(stateText(memoryOf("a")));
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(statSync(join(folder, "state.json")).mode & 0o777).toBe(0o600);
    const asked = vi.fn(() => memoryOf("a", "b"));
    for (let second = 0; second < 29; second++) {
      await one.clock.pass(1);
      one.storage.tick(asked);
    }
    expect(asked).not.toHaveBeenCalled();
    await pass(one, 600, memoryOf("a"), 0);
    expect(one.outcomes).toEqual([true]);
  });

  it("is written at the end, and read by the next process", async () => {
    const folder = folderWith();
    await opened(folder).storage.close(memoryOf("a", "b"));
    const next = opened(folder);
    expect(next.storage.memory).toEqual(memoryOf("a", "b"));
    expect(next.logged).toEqual(["continuing from the state file"]);
    await next.storage.close(next.storage.memory);
    expect(next.outcomes).toEqual([]);
  });

  it("never truncates what a symbolic link with the name of its temporary file points at", async () => {
    const folder = folderWith({ mine: "kept" });
    const link = join(folder, "state.json.tmp");
    symlinkSync(join(folder, "mine"), link);
    const one = opened(folder);
    symlinkSync(join(folder, "mine"), link);
    await one.storage.close(memoryOf("a"));
    expect(contentOf(folder, "mine")).toBe("kept");
    expect(contentOf(folder)).toBe(stateText(memoryOf("a")));
    expect(lstatSync(join(folder, "state.json")).isFile()).toBe(true);
  });

  it("of each shard has its own name", async () => {
    const folder = folderWith();
    for (const index of [0, 1])
      await opened(folder, { shard: { index, total: 2 } }).storage.close(memoryOf(`node-${index}`));
    expect(readdirSync(folder).sort()).toEqual(["state-0.json", "state-1.json"]);
    expect(opened(folder, { shard: { index: 1, total: 2 } }).storage.memory).toEqual(memoryOf("node-1"));
  });

  it.each([
    ["damaged", '{"version":1,"nodes":[', "its text is not that of format version 1"],
    ["too large", " ".repeat(10 * 1024 * 1024 + 1), "it is larger than 10 MB"],
  ])("that is %s is ignored with a reason, and replaced", async (_which, text, why) => {
    const folder = folderWith();
    writeFileSync(join(folder, "state.json"), text);
    const one = opened(folder);
    expect(one.storage.memory).toEqual(NOTHING_REMEMBERED);
    expect(one.logged).toEqual([`the state file is ignored: ${why}`]);
    await one.storage.close(memoryOf("a"));
    expect(opened(folder).storage.memory).toEqual(memoryOf("a"));
  });

  it("that cannot be read is ignored; that it cannot be written is logged once until it can", async () => {
    const folder = folderWith();
    mkdirSync(join(folder, "state.json", "inner"), { recursive: true });
    const one = opened(folder);
    expect(one.logged).toEqual(["the state file is ignored: it is a directory"]);
    await pass(one, 30, memoryOf("a"), 1);
    await pass(one, 30, memoryOf("a"), 1);
    expect(one.logged.slice(1)).toEqual([expect.stringMatching(/^cannot write the state file: E\w+: .*rename/)]);
    rmSync(join(folder, "state.json"), { recursive: true });
    await pass(one, 30, memoryOf("a"), 1);
    expect(one.logged.slice(2)).toEqual(["the state file is written again"]);
    expect(one.outcomes).toEqual([false, false, true]);
    mkdirSync(join(folder, "state.json.tmp"));
    await one.storage.close(memoryOf("b"));
    expect(one.outcomes.at(-1)).toBe(false);
    expect(contentOf(folder)).toBe(stateText(memoryOf("a")));
  });

  it("is the old or the new one after a crash between write and rename, never a part", async () => {
    const folder = folderWith();
    await opened(folder).storage.close(memoryOf("a"));
    const before = contentOf(folder);
    const reached = Promise.withResolvers<undefined>();
    vi.mocked(rename).mockImplementationOnce(() => {
      reached.resolve(undefined);
      return new Promise(() => undefined);
    });
    const crash = opened(folder);
    void crash.storage.close(memoryOf("a", "b"));
    await reached.promise;
    expect(contentOf(folder)).toBe(before);
    expect(contentOf(folder, "state.json.tmp")).toBe(stateText(memoryOf("a", "b")));
    // A crash in the middle of the write.
    writeFileSync(join(folder, "state.json.tmp"), stateText(memoryOf("a", "b")).slice(0, 40));
    const next = opened(folder);
    expect(next.storage.memory).toEqual(memoryOf("a"));
    await next.storage.close(memoryOf("c"));
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(readState(contentOf(folder), 1_800_000_000)).toEqual({ content: memoryOf("c") });
  });

  it("is written whole before a write at the end begins", async () => {
    const folder = folderWith();
    const gate = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    vi.mocked(rename).mockImplementationOnce(async (from, to) => {
      reached.resolve(undefined);
      await gate.promise;
      await rename(from, to);
    });
    const one = opened(folder);
    await pass(one, 30, memoryOf("a"), 0);
    await reached.promise;
    const closed = one.storage.close(memoryOf("a", "b"));
    gate.resolve(undefined);
    await closed;
    expect(one.outcomes).toEqual([true, true]);
    expect(contentOf(folder)).toBe(stateText(memoryOf("a", "b")));
  });
});

describe("the directory", () => {
  it("is created", () => {
    const folder = join(folderWith(), "var", "lib");
    opened(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that cannot be written is a problem in words", () => {
    const folder = join(folderWith(), "file");
    writeFileSync(folder, "");
    const { storage } = bench(join(folder, "state"));
    expect(storage).toEqual({
      fault: expect.stringMatching(/^ENOTDIR: /) as string,
      problem: expect.stringMatching(
        /^--storage\.path: cannot write to the directory ".*\/file\/state" \(ENOTDIR: .*\): give it to the user of the exporter$/,
      ) as string,
    });
  });
});
