import type { z } from "zod";
import { describeIssues, expectation } from "./describe-issue.ts";
import { withNamedFiles } from "../read/named-files.ts";
import type { Sources } from "../read/sources.ts";
import type { Findings } from "../base/tree.ts";

/**
 * Parses a tree with a schema, and inserts the content of the files that it names. `undefined` when there is any problem; the
 * findings then contain all of them.
 * @param checkMore adds the problems that the schema does not detect; called after it
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
  // After the schema has checked the paths, so that an invalid path is reported once.
  const filled = withNamedFiles(schema, value, sources, findings);
  if (!parsed.success || findings.problems.length > 0) return undefined;
  return filled === value ? parsed.data : schema.parse(filled);
}
