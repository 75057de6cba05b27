import type { System } from "../../daemon/system.ts";

/** Without control characters and directional marks, which could change a terminal: texts and names come from others. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Whether the output is a terminal of a user who wants colours. */
export function isColoured({ isTerminal, env }: Pick<System, "isTerminal" | "env">): boolean {
  return isTerminal === true && (env["NO_COLOR"] ?? "") === "";
}
