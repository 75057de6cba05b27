import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentInterface, type Interface } from "../../generate/interface.ts";

/** The page leads from each name before 0.1.0 to that of today: a later rename changes its right column. */
const PAGE = readFileSync(join(import.meta.dirname, "../../docs/reference/renames.md"), "utf8");
/** Names of all families before the renames. */
const BEFORE = readFileSync(join(import.meta.dirname, "testdata/families-before-0.1.0.txt"), "utf8")
  .trim()
  .split("\n");

/** Its old name is the new name of another family: the meaning changed. */
const REUSED = ["avax_validator_downtime_budget_seconds"];

/** The first two cells of each row below a heading, without backticks. */
function rowsOf(heading: string): ReadonlyArray<readonly [string, string]> {
  const [, rest = ""] = PAGE.split(`\n${heading}\n`);
  const [section = ""] = rest.split(/^(?:## .*|[A-Z][a-z ]+:)$/m);
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => {
    const [, first = "", second = ""] = row.split("|");
    return [first.trim().replaceAll("`", ""), second.trim().replaceAll("`", "")];
  });
}

const left = (rows: ReadonlyArray<readonly [string, string]>) => rows.map(([old]) => old);
const right = (rows: ReadonlyArray<readonly [string, string]>) => rows.map(([, name]) => name);
const namesOf = (list: Interface["recordings"]) => list.map(({ name }) => name);

describe("docs/reference/renames.md", () => {
  const { families, alerts, recordings } = currentInterface();
  const present = namesOf(families);
  const renamed = rowsOf("## Renamed families");
  const merged = rowsOf("## Merged families");
  const removed = left(rowsOf("## Removed families"));
  const added = left(rowsOf("## New families"));
  const gone = [...left(renamed), ...left(merged), ...removed];
  const successors = [...right(renamed), ...right(merged)];

  it("has the tables", () => {
    const kinds = [renamed, merged, removed, added].map(({ length }) => length);
    expect(Math.min(...kinds)).toBeGreaterThan(0);
  });

  it("names only new families that exist", () => {
    expect([...successors, ...added].filter((name) => !present.includes(name))).toEqual([]);
  });

  it("names only old families that existed and are gone, except a name that another family has now", () => {
    expect(gone.filter((name) => !BEFORE.includes(name))).toEqual([]);
    expect(gone.filter((name) => present.includes(name))).toEqual(REUSED);
    expect(REUSED.filter((name) => !successors.includes(name))).toEqual([]);
    for (const name of REUSED) expect(PAGE).toContain(`**\`${name}\` has a new meaning.**`);
  });

  it("names no old family twice", () => {
    expect(gone.filter((name, index) => gone.indexOf(name) !== index)).toEqual([]);
  });

  it("accounts for every family before 0.1.0", () => {
    expect(BEFORE.filter((name) => !present.includes(name) && !gone.includes(name))).toEqual([]);
  });

  it("leads to the alerts and recording rules of today", () => {
    for (const [heading, names] of [
      ["## Alerts", namesOf(alerts)],
      ["Recording rules:", namesOf(recordings)],
    ] as const) {
      const rows = rowsOf(heading);
      expect(rows.length, heading).toBeGreaterThan(0);
      expect(right(rows).filter((name) => !names.includes(name))).toEqual([]);
      expect(left(rows).filter((name) => names.includes(name))).toEqual([]);
    }
  });

  it("is sorted", () => {
    for (const heading of ["## Renamed families", "## Merged families", "## New families", "## Alerts"]) {
      const names = left(rowsOf(heading));
      expect(names, heading).toEqual(names.toSorted());
    }
  });
});
