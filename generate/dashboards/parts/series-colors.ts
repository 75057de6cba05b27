import type { Color } from "./mappings.ts";
import type { PanelOptions } from "./panel-options.ts";
import type { Query } from "./targets.ts";

/** Colours of named series in their order. Red and orange are those of limits and states. */
const PALETTE = ["blue", "purple", "green", "yellow", "super-light-blue", "dark-green"] as const;

/** A series with its colour: that of the panel's options, else the next free one of the palette. */
type Colored = readonly [name: string, color: Color | (typeof PALETTE)[number]];

/** Colours of the series whose names are fixed. Series that are named by labels have Grafana's palette. */
export function seriesColors(queries: readonly Query[], { colors = {} }: PanelOptions): readonly Colored[] {
  const chosen = Object.entries(colors);
  const names = queries.map(([, legend]) => legend).filter((name) => name !== "" && !name.includes("{{"));
  // Series of one panel that are named by labels take colours of Grafana's palette, which could be the same.
  if (names.length < queries.length) return chosen;
  const free = PALETTE.filter((color) => !chosen.some(([, taken]) => taken === color));
  const others = names.filter((name) => colors[name] === undefined);
  return [
    ...chosen,
    ...others.flatMap((name, index): Colored[] => (free[index] === undefined ? [] : [[name, free[index]]])),
  ];
}
