import fc from "fast-check";
import { expect, test } from "vitest";
import { base58Bytes } from "../../src/api/base58.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base58 by long division, apart from the library. */
function encode(bytes: readonly number[]): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = "";
  for (; value > 0n; value /= 58n) text = (ALPHABET[Number(value % 58n)] ?? "") + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

test("decodes what was encoded, leading zeros included", () => {
  const bytes = fc.tuple(fc.nat(5), fc.uint8Array({ maxLength: 36 }));
  fc.assert(
    fc.property(bytes, ([zeros, rest]) => {
      const all = [...new Array<number>(zeros).fill(0), ...rest];
      expect([...(base58Bytes(encode(all)) ?? [])]).toEqual(all);
    }),
  );
});

test.each(["0", "O", "I", "l", " ", "é", "1".repeat(65)])("%j is not decoded", (text) => {
  expect(base58Bytes(text)).toBeUndefined();
});
