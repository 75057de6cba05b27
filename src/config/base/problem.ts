/** Something wrong in a configuration file, and where: line and column count from 1 and point at the offending key or value. */
export type Problem = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** What loading a file gives: what is made of it, or everything that is wrong in it. */
export type Result<T> =
  { readonly ok: true; readonly loaded: T } | { readonly ok: false; readonly problems: readonly Problem[] };

/** The problem in the form that editors and terminals turn into a link: `file:line:column: message`. */
export function formatProblem(problem: Problem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}
