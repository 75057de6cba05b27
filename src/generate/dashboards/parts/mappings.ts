import { MappingType, SpecialValueMatch, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";

export type Color = "red" | "orange" | "yellow" | "green" | "blue" | "text";

/** Texts and colours for values. */
export type Mappings = Readonly<Record<string, readonly [text: string, color: Color]>>;

export const YES_NO: Mappings = { 0: ["no", "red"], 1: ["yes", "green"] };

/** As Grafana writes it. */
export function valueMapping(mappings: Mappings): ValueMapping {
  const options = Object.entries(mappings).map(
    ([value, [text, color]], index) => [value, { text, color, index }] as const,
  );
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) };
}

/** An identifier in a narrow cell: its beginning; a link has all of it. Those of nodes keep their prefix. */
export const SHORT_ID: ValueMapping = {
  type: MappingType.RegexToText,
  options: { pattern: "^((?:NodeID-)?\\w{6})\\w{16,}$", result: { text: "$1…", index: 98 } },
};

/** A cell without a value is no good and no bad news. */
export const DASH: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: "–", color: "text", index: 99 } },
};
