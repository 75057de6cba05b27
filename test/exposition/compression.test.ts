import { describe, expect, test } from "vitest";
import { createExposition } from "../../src/exposition/exposition.ts";
import { deflatePiece, type Effort } from "../../src/exposition/gzip.ts";
import { counting, FAMILIES, large, lines, text, unzipped } from "./scrapes.ts";

describe("compression", () => {
  test("happens at the first scrape and is reused while nothing changes", async () => {
    const { compress, count } = counting();
    const exposition = large(compress);
    await text(exposition);
    expect(count()).toBe(0);
    await unzipped(exposition);
    const first = count();
    expect(first).toBeGreaterThan(5);
    await unzipped(exposition);
    exposition.set("avax_up", "node-7", lines("avax_up", "node-7", 20), 20);
    await unzipped(exposition);
    expect(count()).toBe(first);
  });

  test("of a changed block is repeated for its piece and the next one", async () => {
    const { compress, count } = counting();
    const exposition = large(compress);
    await unzipped(exposition);
    for (const target of ["node-0", "node-55", "node-99"]) {
      const before = count();
      exposition.set("avax_blocks_total", target, lines("avax_blocks_total", target, 21, 2), 21);
      expect(await unzipped(exposition)).toBe(await text(exposition));
      expect(count() - before).toBeLessThanOrEqual(2);
    }
  });

  test("reuses other pieces when a target is added and removed", async () => {
    const { compress, count } = counting();
    const exposition = large(compress);
    await unzipped(exposition);
    for (const change of [
      () => exposition.set("avax_up", "node-100a", lines("avax_up", "node-100a", 20), 20),
      () => exposition.set("avax_up", "node-100a", "", 0),
    ]) {
      const before = count();
      change();
      await unzipped(exposition);
      expect(count() - before).toBeLessThanOrEqual(3);
    }
  });

  test("is shared by concurrent scrapes, and by both formats when they are equal", async () => {
    const { compress, count } = counting();
    const exposition = createExposition(FAMILIES, compress);
    exposition.set("avax_up", "a", lines("avax_up", "a", 100), 100);
    await Promise.all([unzipped(exposition), unzipped(exposition), unzipped(exposition, { format: "openmetrics" })]);
    expect(count()).toBe(1);
    exposition.set("avax_blocks_total", "a", "avax_blocks_total 1\n", 1);
    await Promise.all([unzipped(exposition), unzipped(exposition, { format: "openmetrics" })]);
    expect(count()).toBe(3);
  });

  test("runs for two pieces at a time", async () => {
    let running = 0;
    let most = 0;
    const exposition = large(async (...args) => {
      most = Math.max(most, ++running);
      const deflated = await deflatePiece(...args);
      running--;
      return deflated;
    });
    await Promise.all([unzipped(exposition), unzipped(exposition, { format: "openmetrics" })]);
    expect(most).toBe(2);
  });

  test("is repeated at the next scrape after a failure", async () => {
    let broken = true;
    const exposition = createExposition(FAMILIES, (...args) =>
      broken ? Promise.reject(new Error("no memory")) : deflatePiece(...args),
    );
    exposition.set("avax_up", "a", "avax_up 1\n", 1);
    await expect(exposition.scrape({ format: "text", gzip: true })).rejects.toThrow("no memory");
    broken = false;
    expect(await unzipped(exposition)).toBe(await text(exposition));
  });

  test("takes less time for a large page", async () => {
    const efforts: Effort[] = [];
    const exposition = createExposition(FAMILIES, (data, effort, dictionary) => {
      efforts.push(effort);
      return deflatePiece(data, effort, dictionary);
    });
    const line = (bytes: number): string => `avax_up{node="${"a".repeat(bytes)}"} 1\n`;
    exposition.set("avax_up", "a", line(4_000_000), 1);
    await exposition.scrape({ format: "text", gzip: true });
    exposition.set("avax_up", "b", line(400_000), 1);
    await exposition.scrape({ format: "text", gzip: true });
    expect([efforts[0], efforts.at(-1)]).toEqual(["small", "fast"]);
  });

  test("is at most 5 % larger than one gzip of the whole", async () => {
    const exposition = large();
    const one = (
      await exposition.scrape({ format: "text", gzip: true, only: new Set(FAMILIES.map(({ name }) => name)) })
    ).bytes;
    expect((await exposition.scrape({ format: "text", gzip: true })).bytes).toBeLessThanOrEqual(one * 1.05);
  });
});

test("a scrape is one snapshot; changes during its compression do not affect it", async () => {
  const release: Array<() => void> = [];
  const exposition = large(async (...args) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return deflatePiece(...args);
  });
  const before = await text(exposition);
  const scrape = unzipped(exposition);
  for (let i = 0; i < 200; i++) exposition.set("avax_up", `node-${i}`, lines("avax_up", `node-${i}`, 5, 9), 5);
  exposition.remove("node-3");
  const after = await text(exposition);
  const later = unzipped(exposition);
  let done = false;
  void Promise.all([scrape, later]).then(() => (done = true));
  while (!done) {
    for (const each of release.splice(0)) each();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await scrape).toBe(before);
  expect(await later).toBe(after);
  expect(after).not.toBe(before);
});
