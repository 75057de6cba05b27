import { expect, it } from "vitest";
import { expandTemplate } from "../../../src/diagnosis/expand-template.ts";
import { counted } from "../../../src/topics/define/counted.ts";

it.each([
  [1, "1 block"],
  [1.03, "1 block"],
  [2, "2 blocks"],
  [1234567, "1234567 blocks"],
])("%d is %j", (value, words) => {
  expect(expandTemplate(counted("block"), { labels: {}, value })).toBe(words);
});
