import { expect, it } from "vitest";
import { interned, internedList } from "../../src/api/interned.ts";

it("a list is one object wherever its texts are the same, in the same order", () => {
  const [a, b] = [internedList(["x", "y"]), internedList(["x", "y"])];
  expect(a).toBe(b);
  expect(a).toEqual(["x", "y"]);
  expect(internedList(["y", "x"])).toEqual(["y", "x"]);
  expect(internedList(["x,y"])).toEqual(["x,y"]);
  expect(internedList([])).toBe(internedList([]));
});

it("texts keep their value, and new ones are still known after a hundred thousand others", () => {
  for (let i = 0; i < 100_000; i++) expect(interned(`text ${i}`)).toBe(`text ${i}`);
  const long = "x".repeat(5000);
  expect(interned(long)).toBe(long);
  expect(internedList([long, long])).toEqual([long, long]);
});
