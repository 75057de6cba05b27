import { describe, expect, it } from "vitest";
import { isExpired } from "../../../src/poller/poll/target.ts";

const NOW = 1_800_000_000;

describe("isExpired", () => {
  const age = (silent: number, failures: number) => isExpired(NOW, NOW + silent, 45, 10, failures);
  it("is false after one or two failures in a row", () => {
    expect(age(15, 1)).toBe(false);
    expect(age(30, 2)).toBe(false);
    expect(age(45, 2)).toBe(false);
  });
  it("is true when the third poll has failed", () => {
    expect(age(43, 3)).toBe(false);
    expect(age(44.5, 3)).toBe(true);
    expect(age(45, 3)).toBe(true);
  });
  it("is true when the third poll does not end", () => {
    expect(age(55, 0)).toBe(false);
    expect(age(55.1, 0)).toBe(true);
  });
});
