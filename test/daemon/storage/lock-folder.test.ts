import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "../../support/folders.ts";
import { lockFolder } from "../../../src/daemon/storage/lock-folder.ts";
import { ALONE } from "../../../src/daemon/shard/shard.ts";

const temporary = (): string => join(folderWith(), "state");

test("the second exporter learns whose the directory is, until the first one gives it free; shards share one", async () => {
  const folder = temporary();
  const first = await lockFolder(folder, ALONE, "process 7 on a");
  expect(first.other).toBeUndefined();
  expect((await lockFolder(folder, ALONE, "process 8 on b")).other).toBe("process 7 on a");
  const shards = [0, 1].map((index) => lockFolder(folder, { index, total: 2 }, "shard"));
  expect((await Promise.all(shards)).map(({ other }) => other)).toEqual([undefined, undefined]);
  expect((await lockFolder(folder, { index: 1, total: 2 }, "other")).other).toBe("shard");
  first.release();
  const third = await lockFolder(folder, ALONE, "process 9 on c");
  expect(third.other).toBeUndefined();
  third.release();
  for (const { release } of await Promise.all(shards)) release();
});

test("the directory of a process that was killed is free, that of one that hangs is not", async () => {
  const folder = temporary();
  (await lockFolder(folder, ALONE, "")).release();
  const path = join(folder, "avax-exporter.lock");
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  expect(existsSync(path)).toBe(true);
  const next = await lockFolder(folder, ALONE, "next");
  expect(next.other).toBeUndefined();
  next.release();
  const silent = createServer(() => undefined).listen(path);
  onTestFinished(() => void silent.close());
  expect((await lockFolder(folder, ALONE, "next")).other).toBe("an exporter that does not answer");
});

test("files of other programs stay: the lock of a Prometheus with the same directory, and one with the name of ours", async () => {
  const folder = folderWith({ lock: "", "avax-exporter.lock": "" });
  mkdirSync(join(folder, "avax-exporter-1.lock"));
  for (const shard of [ALONE, { index: 1, total: 2 }]) {
    const { other, release } = await lockFolder(folder, shard, "a");
    expect(other).toBeUndefined();
    release();
  }
  expect(readdirSync(folder)).toEqual(["avax-exporter-1.lock", "avax-exporter.lock", "lock"]);
});

test("a directory that cannot hold a socket has no lock", async () => {
  for (const folder of [join(temporary(), "x".repeat(120)), "/dev/null/state"])
    expect((await lockFolder(folder, ALONE, "a")).other).toBeUndefined();
});
