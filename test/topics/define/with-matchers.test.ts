import { describe, expect, it } from "vitest";
import { forOurs, withMatchers } from "../../../src/topics/define/with-matchers.ts";

const more = forOurs(['job="a"']);

describe("withMatchers", () => {
  it.each([
    ["avax_x", 'avax_x{job="a"}'],
    ["avax_x{}", 'avax_x{job="a"}'],
    ['avax_x{b=~".{8,}"} > 0', 'avax_x{job="a",b=~".{8,}"} > 0'],
    ['avax_x{b="1",job="a"}', 'avax_x{b="1",job="a"}'],
    ["rate(avax_x_total[5m] offset 5h)", 'rate(avax_x_total{job="a"}[5m] offset 5h)'],
    ["avax_x[$__range:$__interval]", 'avax_x{job="a"}[$__range:$__interval]'],
    ["chain:avax_x:max > 1", 'chain:avax_x:max{job="a"} > 1'],
    [
      'label_replace(avax_x, "avax_y", "$1", "z", "(.{1,3})")',
      'label_replace(avax_x{job="a"}, "avax_y", "$1", "z", "(.{1,3})")',
    ],
    ['up{b="1"} and on (job) process_x', 'up{b="1"} and on (job) process_x'],
    ["label_values(avax_x, node)", 'label_values(avax_x{job="a"}, node)'],
  ])("%s", (expr, restricted) => {
    expect(withMatchers(expr, more)).toBe(restricted);
  });
});
