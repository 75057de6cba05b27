import { nearest } from "../config/base/nearest.ts";

/** Names that are suggested for an unknown one. */
const SUGGESTED = 5;

/** The name most similar to this one, then those that contain this part of it. */
export function nearNames(name: string, names: readonly string[], part = name): readonly string[] {
  const best = nearest(name, names) ?? [];
  const containing = part === "" ? [] : names.filter((each) => each.toLowerCase().includes(part.toLowerCase()));
  return [...new Set([best, containing].flat())].slice(0, SUGGESTED);
}
