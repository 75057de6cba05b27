import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GENERATED_FILES } from "../../generate/generated-files.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Pages among the generated files that are written by hand, or from the tests: test/faults/table.test.ts. */
const OTHERS = ["docs/reference/faults.md"];

describe("generated files", () => {
  it.each(GENERATED_FILES)("$path matches the catalogue", async ({ path, text }) => {
    await expect(text()).toMatchFileSnapshot(join(ROOT, path));
  });

  it.each(["docs/runbooks", "docs/reference", "grafana/dashboards"])(
    "%s holds nothing that is no longer generated",
    (folder) => {
      const expected = [...GENERATED_FILES.map(({ path }) => path), ...OTHERS];
      expect(readdirSync(join(ROOT, folder)).filter((name) => !expected.includes(`${folder}/${name}`))).toEqual([]);
    },
  );

  it("writes Markdown tables whose lines all have the columns of their heading", () => {
    for (const { path, text } of GENERATED_FILES.filter((file) => file.path.endsWith(".md"))) {
      for (const table of text().match(/(?:^\|.*\n)+/gm) ?? []) {
        const widths = table
          .trim()
          .split("\n")
          .map((line) => line.replaceAll("\\|", "").split("|").length);
        expect(new Set(widths).size, `${path}: ${table.slice(0, 80)}`).toBe(1);
      }
    }
  });
});
