/** An error in a configuration file. Line and column are 1-based and point at the key or value. */
export type ConfigProblem = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** The result of loading a file, or every problem in it. */
export type Result<T> =
  { readonly ok: true; readonly loaded: T } | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** `file:line:column: message`, which editors and terminals turn into a link. */
export function formatProblem(problem: ConfigProblem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}

export function problemText(problems: readonly ConfigProblem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
