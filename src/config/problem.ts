/** Something wrong in a configuration file, and where: line and column count from 1 and point at the offending key or value. */
export type Problem = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** The problem in the form that editors and terminals turn into a link: `file:line:column: message`. */
export function formatProblem(problem: Problem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}
