import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ELSEWHERE } from "./rows/elsewhere.ts";
import { GROUPS } from "./rows/groups.ts";
import { faultsPage } from "./table.ts";

const PAGE = join(import.meta.dirname, "../../docs/reference/faults.md");

it("docs/reference/faults.md is the table of the faults that are tested", async () => {
  await expect(faultsPage()).toMatchFileSnapshot(PAGE);
});

it("has a hundred faults and more, each with a name and a text of its own", () => {
  const rows = GROUPS.flatMap((group) => group.rows);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(new Set(rows.map(({ fault }) => fault)).size).toBe(rows.length);
});

it.each(ELSEWHERE)("$fault: has the test that the row names", ({ test: [file, title] }) => {
  expect(readFileSync(join(import.meta.dirname, "..", file), "utf8")).toContain(title);
});
