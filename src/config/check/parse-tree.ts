import type { z } from "zod";
import { describeIssues, expectation } from "./describe-issue.ts";
import { withNamedFiles } from "../read/named-files.ts";
import type { Sources } from "../read/sources.ts";
import type { Findings } from "../base/tree.ts";

/**
 * What a schema makes of a tree and of the files that the tree names. `undefined` where anything is wrong; every problem is then
 * in the findings.
 * @param checkMore adds the problems that the schema does not see; called after it
 */
export function parseTree<T extends z.ZodType>(
  schema: T,
  value: unknown,
  sources: Sources,
  findings: Findings,
  checkMore: () => void = () => undefined,
): z.output<T> | undefined {
  const parsed = schema.safeParse(value, { error: expectation });
  if (!parsed.success) describeIssues(parsed.error.issues, { schema, value, findings });
  checkMore();
  // The schema is asked about the names of files first: what is wrong with them is not to be said twice.
  const filled = withNamedFiles(schema, value, sources, findings);
  if (!parsed.success || findings.problems.length > 0) return undefined;
  return filled === value ? parsed.data : schema.parse(filled);
}
