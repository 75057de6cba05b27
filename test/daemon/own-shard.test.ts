import { describe, expect, it } from "vitest";
import { ownShard, type ShardFlags } from "../../src/daemon/own-shard.ts";

function read(flags: ShardFlags, hostname = "laptop") {
  return ownShard({ "config.file": "mine.yaml", ...flags }, { hostname });
}
const problem = (flags: ShardFlags, hostname?: string) => {
  const shard = read(flags, hostname);
  return "problem" in shard ? shard.problem : shard;
};

describe("--shard.index and --shard.total", () => {
  it("default to one process", () => {
    expect(read({})).toEqual({ index: 0, total: 1 });
    expect(ownShard({}, { hostname: "h" })).toEqual({ index: 0, total: 1 });
    expect(read({ "shard.index": "2", "shard.total": 3 })).toEqual({ index: 2, total: 3 });
  });

  it.each([
    ["avax-exporter-0", 0],
    ["avax-exporter-2", 2],
    ["a-7-1", 1],
  ])("auto reads the number that a StatefulSet gave the host %s", (hostname, index) => {
    expect(read({ "shard.index": "auto", "shard.total": 3 }, hostname)).toEqual({ index, total: 3 });
  });

  it.each([
    [{ "shard.index": "1" }, "--shard.index and --shard.total require each other"],
    [{ "shard.total": 3 }, "--shard.index and --shard.total require each other"],
    [{ "shard.index": "-1", "shard.total": 3 }, '--shard.index: "-1" is not a number from 0 to 2'],
    [{ "shard.index": "3", "shard.total": 3 }, '--shard.index: "3" is not a number from 0 to 2'],
    [
      { "shard.index": "auto", "shard.total": 3 },
      '--shard.index: the number at the end of the host name "laptop" is not a number from 0 to 2',
    ],
  ] satisfies ReadonlyArray<readonly [ShardFlags, string]>)("%j are refused with a sentence", (flags, words) => {
    expect(problem(flags)).toBe(words);
  });

  it("are refused for a pod beyond the number of shards", () => {
    expect(problem({ "shard.index": "auto", "shard.total": 3 }, "avax-exporter-3")).toContain(
      '"avax-exporter-3" is not',
    );
  });

  it("are refused without a configuration to share", () => {
    expect(ownShard({ "shard.index": "0", "shard.total": 2 }, { hostname: "h" })).toEqual({
      problem: "--shard.total requires --config.file",
    });
  });
});
