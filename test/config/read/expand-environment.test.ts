import fc from "fast-check";
import { expect, test } from "vitest";
import { expandEnvironment } from "../../../src/config/read/read-yaml-file.ts";

const env = { A: "one", _b2: "two", EMPTY: "", NESTED: "${A}" };

test.each([
  ["plain", "plain"],
  ["${A}", "one"],
  ["x${A}-${_b2}y", "xone-twoy"],
  ["${EMPTY}", ""],
  ["${NESTED}", "${A}"],
  ["$${A}", "${A}"],
  ["$${A}${A}", "${A}one"],
  ["$A and $ and }", "$A and $ and }"],
])("%s becomes %s", (source, text) => {
  expect(expandEnvironment(source, env)).toEqual({ text, faults: [] });
});

test("unset variables are listed once", () => {
  expect(expandEnvironment("${X}${Y}${X}", env)).toEqual({
    text: "",
    faults: ["X", "Y"].map((name) => expect.stringContaining(`variable ${name} is not set`) as string),
  });
});

test.each(["${", "${}", "${A", "${A-B}", "${1A}", "${A:-x}", "${ A }"])("%s is malformed", (source) => {
  expect(expandEnvironment(source, env)).toEqual({
    text: source.replace("${", () => ""),
    faults: [expect.stringContaining("write a variable as ${NAME}") as string],
  });
});

test("any text is unchanged when its ${ are escaped", () => {
  const text = fc.string({ unit: fc.constantFrom("$", "{", "}", "A", "x") });
  fc.assert(
    fc.property(text, (wanted) => {
      // `$${` is the escape itself, so a text that contains it cannot be expressed.
      fc.pre(!wanted.includes("$${"));
      const escaped = wanted.replaceAll("${", () => "$${");
      expect(expandEnvironment(escaped, env)).toEqual({ text: wanted, faults: [] });
    }),
  );
});
