import { expect, it } from "vitest";
import { METHODS } from "../../../src/api/node/methods.ts";
import { methodHelp } from "../../../src/cli/call/call-help.ts";

it.each([...METHODS.values()])("$name has help that fits a terminal", ({ name, about, writes }) => {
  const help = methodHelp(name) ?? "";
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(help.replaceAll(/\s+/g, " ").startsWith(`${name}: ${about} `)).toBe(true);
  expect(help.includes("--allow-write")).toBe(writes);
});
