import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCb58 } from "../../../src/api/cb58.ts";
import { bech32Fault, cb58Fault, hexAddressFault } from "../../../src/config/base/identifiers.ts";
import { bech32, cb58 } from "../../../simulator/encoding/ids.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const MISTYPED = "the checksum is wrong: a character was mistyped";
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
    ["8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSv", 20, false],
    ["8ZaVcAT9uahY1jsgF4MQSE7TiZrFDvFSu", 32, false],
    ["", 32, false],
    ["0OIl", 32, false],
    ["1".repeat(65), 32, false],
  ])("%s of %i bytes: %s", (text, size, expected) => {
    expect(isCb58(text, size)).toBe(expected);
  });

  it.each([20, 32] as const)("rejects every single mistyped character of %i bytes", (size) => {
    fc.assert(
      fc.property(bytesOf(size), fc.nat(), fc.nat(), (bytes, place, letter) => {
        const text = cb58(bytes);
        expect(cb58Fault(text, size)).toBeUndefined();
        expect(cb58Fault(mistyped(text, place, letter, BASE58), size)?.hint).toBeDefined();
      }),
    );
  });

  it.each([20, 32] as const)("rejects a character that is missing, added or swapped, of %i bytes", (size) => {
    fc.assert(
      fc.property(bytesOf(size), fc.nat(), fc.nat(57), (bytes, place, letter) => {
        const text = cb58(bytes);
        const at = place % (text.length - 1);
        const [one = "", other = ""] = text.slice(at, at + 2);
        for (const typed of [
          text.slice(0, at) + text.slice(at + 1),
          text.slice(0, at) + (BASE58[letter] ?? "") + text.slice(at),
          text.slice(0, at) + other + one + text.slice(at + 2),
        ])
          if (typed !== text) expect(cb58Fault(typed, size)).toBeDefined();
      }),
    );
  });

  it.each([
    ["7Xhw2mDxuDS44j42TCB6U5579esbSt3Lh", MISTYPED],
    ["7Xhw2mDxuDS44j42TCB6U5579esbSt3L", `${MISTYPED} or is missing`],
    ["7Xhw2mDxuDS44j42TCB6U5579esbSt3L0", "0, O, I and l do not occur in an ID"],
    ["7Xhw2mDxuDS44j42TCB6U5579esbSt3Lgg", "it is too long"],
    ["7Xhw2mDxu", "it is too short"],
    ["7Xhw2mDxu DS44j42TCB6U5579esbSt3Lg", undefined],
  ])("%s: %s", (text, hint) => {
    expect(cb58Fault(text, 20)).toEqual(hint === undefined ? {} : { hint });
  });
});

describe("bech32", () => {
  it("rejects every single mistyped character, in the prefix too", () => {
    const prefix = fc.constantFrom("avax", "fuji", "local", "custom");
    fc.assert(
      fc.property(prefix, bytesOf(20), fc.nat(), fc.nat(), (network, bytes, place, letter) => {
        const text = bech32(network, bytes);
        expect(bech32Fault(text)).toBeUndefined();
        const after = text.slice(network.length + 1);
        expect(bech32Fault(`${network}1${mistyped(after, place, letter, BECH32)}`)).toEqual({ hint: MISTYPED });
        const other = mistyped(network, place, letter, "abcdefghijklmnopqrstuvwxyz");
        expect(bech32Fault(`${other}1${after}`)).toEqual({ hint: MISTYPED });
      }),
    );
  });

  it.each([
    ["fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4", "it has 37 characters after fuji1, not 38"],
    ["fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4tt", "it has 39 characters after fuji1, not 38"],
    ["fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmub4", "1, b, i and o do not occur after fuji1"],
    ["FUJI18JMA8PPW3NHX5R4AP8CLAZZ0DPS7RV5U6WMU4T", "it is written in lower case"],
    ["fuji18jma8ppw3nhx 5r4", undefined],
    ["18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t", undefined],
  ])("%s: %s", (text, hint) => {
    expect(bech32Fault(text)).toEqual(hint === undefined ? {} : { hint });
  });

  it("rejects the address of a chain outside Avalanche", () => {
    expect(bech32Fault(bech32("cosmos", Buffer.alloc(20)))).toEqual({
      hint: "cosmos is not a network: avax (mainnet), fuji, local or custom",
    });
  });
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
const MIXED = EIP55.slice(2);

describe("0x…", () => {
  it("accepts the addresses of EIP-55, and each in one case", () => {
    for (const address of EIP55) {
      const digits = address.slice(2);
      for (const text of [digits, digits.toLowerCase(), digits.toUpperCase()])
        expect(hexAddressFault(`0x${text}`)).toBeUndefined();
    }
  });

  it("rejects every single mistyped character of them", () => {
    let typed = 0;
    for (const address of MIXED) {
      for (let at = 2; at < address.length; at += 1) {
        for (const digit of "0123456789abcdefABCDEF") {
          if (digit === address[at]) continue;
          const fault = hexAddressFault(address.slice(0, at) + digit + address.slice(at + 1));
          expect(fault).toEqual({ hint: `${MISTYPED}, or the case of a letter` });
          typed += 1;
        }
      }
    }
    expect(typed).toBe(MIXED.length * 40 * 21);
  });

  it.each([
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "it has 39 characters after 0x, not 40"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd", "it has 41 characters after 0x, not 40"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", "g is not a hex digit"],
    ["0x", undefined],
    ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", undefined],
  ])("%s: %s", (text, hint) => {
    expect(hexAddressFault(text)).toEqual(hint === undefined ? {} : { hint });
  });
});
