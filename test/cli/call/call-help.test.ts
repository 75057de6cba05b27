import { describe, expect, it } from "vitest";
import { METHODS, methodNamed } from "../../../src/api/node/methods.ts";
import { methodHelp } from "../../../src/cli/call/call-help.ts";
import { readParams } from "../../../src/cli/call/call-params.ts";

describe.each([...METHODS.keys()])("%s", (name) => {
  it("has help with an example that fits its parameters", () => {
    const help = methodHelp(name) ?? "";
    const method = methodNamed(name);
    if (method === undefined) throw new Error("no method");
    expect(help.split("\n").filter((line) => line.length > 80 && !line.startsWith("Example: "))).toEqual([]);
    expect(help.replaceAll(/\s+/g, " ").startsWith(`${name}: ${method.about} `)).toBe(true);
    const [, , example] = /Example: avax-exporter call http:\S+ \S+( '(.*)')?( --allow-write)?\n/.exec(help) ?? [];
    expect(readParams(method, example)).toHaveProperty("params");
    expect(help.includes("--allow-write")).toBe(method.writes);
    // An ID is in cb58 or an alias, never an address of an EVM chain.
    expect(help).not.toMatch(/"\w+(ID|Id)":"0x/);
  });
});
