import { expect, test } from "vitest";
import { evidenceFor } from "../../src/diagnosis/evidence.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { readingsIn } from "../support/readings.ts";

const NOW = 1_800_000_000;

function words(name: string, value: number): string | undefined {
  const samples = samplesOf(readingsIn(`${name}{node="a"} ${value}\n`), NOW);
  const [evidence] = evidenceFor([{ kind: "selector", name, matchers: [] }], new Map([["node", "a"]]), samples);
  return evidence?.words;
}

test.each([
  ["avax_end_timestamp_seconds", NOW - 1_276, "2027-01-15 07:38:44 UTC, 21 min 16 s ago"],
  ["avax_end_timestamp_seconds", NOW + 1_276, "2027-01-15 08:21:16 UTC, in 21 min 16 s"],
  ["avax_left_seconds", 1_276, "21 min 16 s"],
  ["avax_left_seconds", -1_276, "21 min 16 s below 0"],
  ["avax_left_seconds", -0.5, "500ms below 0"],
  ["avax_left_seconds", 0, "0s"],
  ["validator:avax_left_seconds:median", 1_276, "21 min 16 s"],
  ["avax_share_ratio", 0.5, "50%"],
  ["avax_blocks", -3, undefined],
] as const)("%s %d is %s", (name, value, text) => {
  expect(words(name, value)).toBe(text);
});

test("of a node is about its own validator alone", () => {
  const text = `avax_node_configured{node="a",node_id="A"} 1
avax_left{node_id="A"} 1
avax_left{node_id="B"} 2
`;
  const left = (node: string) =>
    evidenceFor(
      [{ kind: "selector", name: "avax_left", matchers: [] }],
      new Map([["node", node]]),
      samplesOf(readingsIn(text), NOW),
    ).map(({ value }) => value);
  expect([left("a"), left("b")]).toEqual([[1], []]);
});
