import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCb58 } from "../../../src/api/cb58.ts";
import { isBech32, isHexAddress } from "../../../src/config/schema/identifier-fields.ts";
import { bech32, cb58 } from "../../../simulator/encoding/ids.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const bytesOf = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes));

/** The text with one character replaced by another one of the alphabet. */
function mistyped(text: string, place: number, letter: number, alphabet: string): string {
  const at = place % text.length;
  const others = [...alphabet].filter((each) => each !== text[at]);
  return text.slice(0, at) + (others[letter % others.length] ?? "") + text.slice(at + 1);
}

describe("cb58", () => {
  it.each<[string, number, boolean]>([
    ["11111111111111111111111111111111LpoYY", 32, true],
    ["2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5", 32, true],
    ["111111111111111111116DBWJs", 20, true],
    ["8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu", 20, true],
    ["8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu", 32, false],
    ["", 32, false],
    ["1".repeat(65), 32, false],
  ])("%s of %i bytes: %s", (text, size, expected) => {
    expect(isCb58(text, size)).toBe(expected);
  });

  it.each([20, 32] as const)("rejects a character that is mistyped, missing, added or swapped, of %i bytes", (size) => {
    fc.assert(
      fc.property(bytesOf(size), fc.nat(), fc.nat(57), (bytes, place, letter) => {
        const text = cb58(bytes);
        expect(isCb58(text, size)).toBe(true);
        const at = place % (text.length - 1);
        const [one = "", other = ""] = text.slice(at, at + 2);
        for (const typed of [
          mistyped(text, place, letter, BASE58),
          text.slice(0, at) + text.slice(at + 1),
          text.slice(0, at) + (BASE58[letter] ?? "") + text.slice(at),
          text.slice(0, at) + other + one + text.slice(at + 2),
        ])
          if (typed !== text) expect(isCb58(typed, size)).toBe(false);
      }),
    );
  });
});

it("bech32 rejects every single mistyped character, in the prefix too", () => {
  const prefix = fc.constantFrom("avax", "fuji", "local", "custom");
  fc.assert(
    fc.property(prefix, bytesOf(20), fc.nat(), fc.nat(), (network, bytes, place, letter) => {
      const text = bech32(network, bytes);
      expect(isBech32(text)).toBe(true);
      const after = text.slice(network.length + 1);
      expect(isBech32(`${network}1${mistyped(after, place, letter, BECH32)}`)).toBe(false);
      const other = mistyped(network, place, letter, "abcdefghijklmnopqrstuvwxyz");
      expect(isBech32(`${other}1${after}`)).toBe(false);
    }),
  );
});

/** Addresses of EIP-55. The first two are in one case by their checksum. */
const EIP55 = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("0x…", () => {
  it("accepts the addresses of EIP-55, and each in one case", () => {
    for (const address of EIP55) {
      const digits = address.slice(2);
      for (const text of [digits, digits.toLowerCase(), digits.toUpperCase()])
        expect(isHexAddress(`0x${text}`)).toBe(true);
    }
  });

  it("rejects every single mistyped character of them", () => {
    for (const address of EIP55.slice(2)) {
      for (let at = 2; at < address.length; at += 1) {
        for (const digit of "0123456789abcdefABCDEF")
          if (digit !== address[at])
            expect(isHexAddress(address.slice(0, at) + digit + address.slice(at + 1))).toBe(false);
      }
    }
  });

  it.each([
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
    "0x",
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  ])("%s is no address", (text) => {
    expect(isHexAddress(text)).toBe(false);
  });
});
