import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { combineCrc, deflate, deflatePiece, gzipWhole, joinGzip } from "../../src/exposition/gzip.ts";

const efforts = fc.constantFrom("small", "fast");
const bytes = fc.uint8Array({ maxLength: 2000 }).map((array) => Buffer.from(array));

test("checksums of two texts combine", () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
    }),
  );
});

test("checksums combine over large lengths", () => {
  const second = Buffer.alloc(3_000_001, "avax");
  const first = Buffer.from("before");
  expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
});

test("pieces and an ending join to one gzip member", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), bytes, efforts, async (texts, ending, effort) => {
      const pieces = await Promise.all(texts.map((text, i) => deflate(text, deflatePiece, effort, texts[i - 1])));
      const joined = Buffer.concat(joinGzip(pieces, ending));
      expect(gunzipSync(joined).equals(Buffer.concat([...texts, ending]))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("a dictionary makes a piece smaller", async () => {
  const text = Buffer.from(Array.from({ length: 200 }, (_, i) => `avax_x{node="n${i}"} ${i * 7919}\n`).join(""));
  const alone = await deflatePiece(text, "small");
  const after = await deflatePiece(text, "small", text);
  expect(after.length).toBeLessThan(alone.length / 4);
});

test("a failure of the compressor is passed on", async () => {
  const broken = () => Promise.reject(new Error("no memory"));
  await expect(deflate(Buffer.from("x"), broken, "small")).rejects.toThrow("no memory");
});

test("gzipWhole returns a gzip member", async () => {
  expect(gunzipSync(await gzipWhole(Buffer.from("avax"))).toString()).toBe("avax");
});
