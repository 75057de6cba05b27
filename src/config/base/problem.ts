/** An error in a configuration file. Line and column are 1-based and point at the key or value. */
export type Problem = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** The result of loading a file, or every problem in it. */
export type Result<T> =
  { readonly ok: true; readonly loaded: T } | { readonly ok: false; readonly problems: readonly Problem[] };

/** `file:line:column: message`, which editors and terminals turn into a link. */
export function formatProblem(problem: Problem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}

export function problemText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${formatProblem(problem)}\n`).join("");
}
