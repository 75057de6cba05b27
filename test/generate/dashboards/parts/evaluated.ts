import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireTool } from "../../../e2e/support/tools.ts";

export type Result = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** The result of a dashboard's expression on sample lines, by promtool, which expects none and says what it got. Every variable stands at "All". */
export function evaluated(expr: string, lines: readonly string[]): readonly Result[] {
  const folder = mkdtempSync(join(tmpdir(), "evaluated-"));
  try {
    const test = {
      interval: "1m",
      input_series: lines.map((line) => {
        const at = line.lastIndexOf(" ");
        const value = line.slice(at + 1).replace("Infinity", "Inf");
        return { series: line.slice(0, at), values: `${value} ${value}` };
      }),
      promql_expr_test: [{ expr: expr.replaceAll(/\$\w+/g, ".*"), eval_time: "1m", exp_samples: [] }],
    };
    writeFileSync(join(folder, "tests.json"), JSON.stringify({ rule_files: [], tests: [test] }));
    const { status, stdout, stderr } = spawnSync(requireTool("promtool"), ["test", "rules", "tests.json"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status === 0) return [];
    const [, got] = /^\s+got: (.*)$/m.exec(`${stdout}${stderr}`) ?? [];
    if (got === undefined) throw new Error(`${stdout}${stderr}`);
    return [...got.matchAll(/\{([^}]*)\} (\S+?)(?:, |"?$)/g)].map(([, text = "", value]) => ({
      labels: Object.fromEntries(
        [...text.matchAll(/(\w+)=\\?"(.*?)\\?"/g)].map(([, label = "", is = ""]) => [label, is] as const),
      ),
      value: Number(value),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
