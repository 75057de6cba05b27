import { expect, test } from "vitest";
import { distinctTitle, joinedProblems, joinedTitle } from "../../src/diagnosis/problem-titles.ts";
import { finding } from "../http/fixtures.ts";

const on = (label: string, values: readonly string[], summary: (value: string) => string) =>
  values.map((value) => finding({ labels: { node: "sim-7", [label]: value }, summary: summary(value) }));

test.each([
  [
    on("chain", ["C", "P", "X"], (chain) => `sim-7 is benched by 60 % of stake on ${chain}`),
    "sim-7 is benched by 60 % of stake on C, P, X",
  ],
  [on("chain", ["C", "P"], (chain) => `${chain} is not bootstrapped on sim-6`), "C, P are not bootstrapped on sim-6"],
  [
    on("endpoint", [..."abcdefgh"], (id) => `sim-6: polls of ${id} fail`),
    "sim-6: polls of a, b, c, d, e, f and 2 more fail",
  ],
  [
    on("chain", ["C", "P"], (chain) => `sim-7 lacks ${chain.length * chain.charCodeAt(0)} blocks on ${chain}`),
    undefined,
  ],
  [on("subnet", ["A", "B"], () => "sim-7: stake ends in 18 h"), undefined],
])("findings of one alert %# have the title %j", (same, title) => {
  expect(joinedTitle(same)).toBe(title);
});

test("findings with one text are told apart by the names of what differs", () => {
  const same = on("subnet", ["primary", "2NDzLu"], () => "sim-7: stake ends in 18 h");
  expect(same.map((each) => distinctTitle(each, same, { subnetNames: { "2NDzLu": "my-l1" } }))).toEqual([
    "sim-7: stake ends in 18 h (subnet primary)",
    "sim-7: stake ends in 18 h (subnet my-l1)",
  ]);
});

test("problems of one alert and node with one title are one, with the evidence of each", () => {
  const same = on("chain", ["C", "P"], (chain) => `sim-7 is benched on ${chain}`).map((each, index) => ({
    ...each,
    evidence: [{ series: "avax_a", value: index, words: undefined }],
    consequences: [],
    consequenceCount: index,
  }));
  const [joined, ...others] = joinedProblems(same);
  expect(joined).toMatchObject({ summary: "sim-7 is benched on C, P", consequenceCount: 1 });
  expect([joined?.evidence.map(({ value }) => value), others]).toEqual([[0, 1], []]);
});
