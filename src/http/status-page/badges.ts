import type { Severity } from "../../topics/define/alert.ts";

/** The class of a severity's badge. */
export const TONES = {
  critical: "down",
  warning: "failing",
  info: "unknown",
  none: "unknown",
} as const satisfies Readonly<Record<Severity, string>>;
