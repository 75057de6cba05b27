import { rulesFile } from "./rules/rules.ts";
import { BOARDS } from "./dashboards/boards.ts";
import { dashboardFile } from "./dashboards/parts/board.ts";

/**
 * The families that `metrics: essential` exports, as a module: those that a rule reads, and those that the first row, a variable or a
 * mark of a dashboard reads. For whoever pays by series.
 */
export function essentialFamilies(): string {
  const first = BOARDS.map((board) => dashboardFile({ ...board, rows: board.rows.slice(0, 1) }));
  const names = [...`${rulesFile()}${first.join("")}`.matchAll(/\bavax_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:sum|count|bucket)$/, ""),
  );
  const lines = [...new Set(names)].sort().map((name) => `  "${name}",\n`);
  return `// Generated from the rules and dashboards; run \`npm run update\`.\n/** Names of the families that rules and the first row of each dashboard read; some are no families. */\nexport const ESSENTIAL_FAMILIES: ReadonlySet<string> = new Set([\n${lines.join("")}]);\n`;
}
