import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogueOf } from "../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../src/definitions/topics.ts";
import { COSTS } from "../../src/generate/costs.ts";

type Recorded = {
  readonly answers: ReadonlyArray<{ readonly name: string; readonly response: { readonly body?: string } }>;
};

const FOLDER = join(import.meta.dirname, "../recordings");
const ANSWERS = globSync("*.json", { cwd: FOLDER }).flatMap(
  (file) => (JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Recorded).answers,
);

/** Bytes of the largest recorded answer of that name. */
function largest(name: RegExp): number {
  return Math.max(
    ...ANSWERS.filter((answer) => name.test(answer.name)).map(({ response }) => Buffer.byteLength(response.body ?? "")),
  );
}

test("every endpoint of a node has its cost, and no other", () => {
  const ids = catalogueOf(TOPICS)
    .endpoints.filter(({ scope }) => scope !== "hosted")
    .map(({ id }) => id);
  expect(Object.keys(COSTS).sort()).toEqual(ids.sort());
});

test.each(Object.entries(COSTS))("the cost of %s is that of the recordings", (_id, { recorded, bytes }) => {
  expect(recorded.map(largest).reduce((sum, each) => sum + each, 0)).toBe(bytes);
});
