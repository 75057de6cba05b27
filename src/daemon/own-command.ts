import { basename } from "node:path";
import type { System } from "./system.ts";

/** How the user starts this program, for the commands that it prints. `AVAX_EXPORTER_COMMAND` says it where another program starts it, such as a container's. */
export function ownCommand({ env, owner }: Pick<System, "env" | "owner">): string {
  const { AVAX_EXPORTER_COMMAND: given, npm_lifecycle_event: script } = env;
  if (given !== undefined && given !== "") return given;
  // Who reads the README in a clone has no `avax-exporter` in PATH.
  if (script === "start" || script === "demo") return "npm start --";
  const { program = [] } = owner ?? {};
  const file = program.at(-1) ?? "";
  return file === "" || basename(file) === "avax-exporter" ? "avax-exporter" : program.join(" ");
}
