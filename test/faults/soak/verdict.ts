import { parseArgs } from "node:util";

/** One condition of a soak with what was found. */
export type Check = { readonly what: string; readonly found: string; readonly target: string; readonly ok: boolean };

export function check(what: string, found: string | number, target: string, ok: boolean): Check {
  return { what, found: String(found), target, ok };
}

/** The checks as a table, with the line that counts them. */
export function verdictText(checks: readonly Check[]): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const lines = tableLines([
    ["", "check", "found", "target"],
    ...checks.map(({ ok, what, found, target }) => [ok ? "ok" : "FAIL", what, found, target]),
  ]);
  return `${lines.join("\n")}\n${checks.length - failed} passed, ${failed} failed`;
}

/** Lines of a table whose columns are as wide as their longest cell. */
export function tableLines(rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Prints a table line by line: right-aligned cells, as wide as their titles, which the first line has above it. */
export function growingTable(print: (line: string) => void) {
  let begun = false;
  return (cells: Readonly<Record<string, string | number>>): void => {
    if (!begun) print(Object.keys(cells).join("  "));
    begun = true;
    print(
      Object.entries(cells)
        .map(([title, cell]) => String(cell).padStart(title.length))
        .join("  "),
    );
  };
}

/** "12.3", in millions of bytes. */
export function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Runs a soak with the numbers of the command line, and prints what it found; exit code 1 if anything does not hold, 2 for a wrong option. */
export async function command<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  run: (options: Readonly<Record<Name, number>>, say: (line: string) => void) => Promise<readonly Check[]>,
): Promise<void> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const options = Object.fromEntries(names.map((name) => [name, Number(values[name] ?? defaults[name])])) as Record<
    Name,
    number
  >;
  const bad = names.find((name) => !(options[name] > 0));
  if (bad !== undefined) {
    process.stderr.write(`--${bad} is not a number above 0\n`);
    process.exitCode = 2;
    return;
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  say(names.map((name) => `${name} ${options[name]}`).join(", "));
  const checks = await run(options, say);
  say(verdictText(checks));
  process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1;
}
