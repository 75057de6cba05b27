import { expect, test } from "vitest";
import { evidenceOf } from "../../src/diagnosis/evidence.ts";

const NOW = 1_800_000_000;

const words = (name: string, value: number): string | undefined =>
  evidenceOf({ name, labels: { node: "a" }, value }, NOW).words;

test.each([
  ["avax_end_timestamp_seconds", NOW - 1_276, "2027-01-15 07:38:44 UTC, 21 min 16 s ago"],
  ["avax_end_timestamp_seconds", NOW + 1_276, "2027-01-15 08:21:16 UTC, in 21 min 16 s"],
  ["avax_left_seconds", 1_276, "21 min 16 s"],
  ["avax_left_seconds", -1_276, "21 min 16 s below 0"],
  ["avax_left_seconds", -0.5, "500ms below 0"],
  ["avax_left_seconds", 0, "0s"],
  ["avax_share_ratio", 0.5, "50%"],
  ["avax_blocks", -3, undefined],
] as const)("%s %d is %s", (name, value, text) => {
  expect(words(name, value)).toBe(text);
});
