import type { System } from "../../src/daemon/system.ts";

/** A system for a command in the process of the test, with the output so far. */
export function writtenSystem(over: Partial<System> = {}): {
  readonly system: System;
  readonly written: { out: string; err: string };
} {
  const written = { out: "", err: "" };
  const system: System = {
    env: {},
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    onSignal: () => undefined,
    isRoot: false,
    hostname: "host",
    nodeVersion: "v24",
    ...over,
  };
  return { system, written };
}
