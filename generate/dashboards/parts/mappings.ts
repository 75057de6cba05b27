import { MappingType, SpecialValueMatch, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";

export type Color =
  | ("red" | "orange" | "yellow" | "green" | "blue" | "purple" | "text")
  | ("dark-red" | "dark-orange" | "super-light-purple");

/** Texts and colours for values. */
export type Mappings = Readonly<Record<string, readonly [text: string, color: Color]>>;

export const YES_NO: Mappings = { 0: ["no", "red"], 1: ["yes", "green"] };

export function valueMapping(mappings: Mappings): ValueMapping {
  const options = Object.entries(mappings).map(
    ([value, [text, color]], index) => [value, { text, color, index }] as const,
  );
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) };
}

/** Shortens an identifier for a narrow cell; node IDs keep their prefix. The link of the cell has the whole ID. */
export const SHORT_ID: ValueMapping = {
  type: MappingType.RegexToText,
  options: { pattern: "^((?:NodeID-)?\\w{6})\\w{16,}$", result: { text: "$1…", index: 98 } },
};

/** What a node does not offer, as distinct from what is not known. */
export const NOT_OFFERED: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NotANumber, result: { text: "not offered", color: "text", index: 97 } },
};

/** A neutral text for a cell without a value. */
export const DASH: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.Null, result: { text: "–", color: "text", index: 99 } },
};
