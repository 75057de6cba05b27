import {
  FieldColorModeId,
  identityOverrideProcessor,
  Registry,
  type FieldConfigPropertyItem,
  type FieldConfigSource,
} from "@grafana/data";
import type { Panel } from "./dashboard.ts";

/** Options of fields that may stand in an override, and where they go in a field's configuration. */
const STANDARD = [
  "unit",
  "min",
  "max",
  "decimals",
  "displayName",
  "noValue",
  "thresholds",
  "mappings",
  "color",
  "links",
];
const CUSTOM = [
  ...["cellOptions", "width", "align", "filterable", "inspect", "hideFrom", "lineWidth", "lineStyle", "fillOpacity"],
  ...["drawStyle", "stacking", "showPoints", "thresholdsStyle", "axisPlacement", "spanNulls", "lineInterpolation"],
  ...["axisSoftMin", "axisSoftMax"],
];

export const FIELD_CONFIG = new Registry<FieldConfigPropertyItem>(() => [
  ...STANDARD.map((path) => item(path, path, false)),
  ...CUSTOM.map((path) => item(`custom.${path}`, path, true)),
]);

function item(id: string, path: string, isCustom: boolean): FieldConfigPropertyItem {
  return {
    id,
    path,
    name: id,
    isCustom,
    editor: () => null,
    override: () => null,
    process: identityOverrideProcessor,
    shouldApply: () => true,
  };
}

/** What Grafana's time series panel takes where a dashboard says nothing. */
const LINES = {
  drawStyle: "line",
  lineInterpolation: "linear",
  barAlignment: 0,
  lineWidth: 1,
  fillOpacity: 0,
  gradientMode: "none",
  spanNulls: false,
  showPoints: "auto",
  pointSize: 5,
  stacking: { mode: "none", group: "A" },
  axisPlacement: "auto",
  axisColorMode: "text",
  axisBorderShow: false,
  scaleDistribution: { type: "linear" },
  axisCenteredZero: false,
  hideFrom: { tooltip: false, viz: false, legend: false },
  thresholdsStyle: { mode: "off" },
};

/** The field options of a panel with the defaults of its type. */
export function withDefaults({ type, fieldConfig }: Panel): FieldConfigSource {
  const { defaults = {}, overrides = [] } = fieldConfig ?? {};
  const lines = type === "timeseries";
  const custom = (defaults.custom ?? {}) as { readonly stacking?: object };
  return {
    overrides,
    defaults: {
      color: { mode: lines ? FieldColorModeId.PaletteClassic : FieldColorModeId.Thresholds },
      ...defaults,
      custom: lines ? { ...LINES, ...custom, stacking: { ...LINES.stacking, ...custom.stacking } } : custom,
    },
  };
}
