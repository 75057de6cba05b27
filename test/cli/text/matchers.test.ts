import { expect, it } from "vitest";
import { orWithout, parseMatchers, selecting } from "../../../src/cli/text/matchers.ts";

const select = (text: string): string => selecting({ name: "m" }, { node: "a" }, parseMatchers(text) ?? []);

it.each([
  ['job="avax"', 'm{node="a",job="avax"}'],
  ['{job=~"a|b",env!="x"}', 'm{node="a",job=~"a|b",env!="x"}'],
  ['job="a\\"b"', 'm{node="a",job="a\\"b"}'],
])("%s selects %s", (text, selector) => {
  expect(select(text)).toBe(selector);
});

it.each(["", "job", "job=avax", '} or vector(1) or a{b="c"', '{job="a"', "{}"])("%j is refused", (text) => {
  expect(parseMatchers(text)).toBeUndefined();
});

it("for alerts, matchers hold for series without the label as well", () => {
  const matchers = orWithout(parseMatchers('job="a.b",env=~"x|y",node!="z"') ?? []);
  expect(selecting({ name: "ALERTS" }, {}, matchers)).toBe('ALERTS{job=~"a\\\\.b|",env=~"(?:x|y)|",node!="z"}');
});
