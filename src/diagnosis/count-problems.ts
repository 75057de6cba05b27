import type { FindingKey, Group } from "./causes.ts";
import { countedAs, type ProblemCounts, type Diagnosis, type Finding } from "./finding.ts";

type Countable = FindingKey & Pick<Finding, "state">;
type Counting = { -readonly [K in keyof ProblemCounts]: number };

/** The counts of a node. */
export function countsOf({ byNode }: Pick<Diagnosis, "byNode">, node: string): ProblemCounts {
  return (Object.hasOwn(byNode, node) ? byNode[node] : undefined) ?? none();
}

const none = (): Counting => ({ critical: 0, warning: 0, info: 0, pending: 0, consequences: 0 });

/** Counts problems and consequences, in all and by node. */
export function countProblems(groups: Iterable<Group<Countable>>): Pick<Diagnosis, "counts" | "byNode"> {
  const counts = none();
  const nodes = new Map<string, Counting>();
  const count = ({ node: known, labels }: FindingKey, as: keyof ProblemCounts): void => {
    counts[as] += 1;
    const node = known ?? labels["node"];
    if (node === undefined) return;
    const ofNode = nodes.get(node) ?? none();
    nodes.set(node, ofNode);
    ofNode[as] += 1;
  };
  for (const { cause, consequences } of groups) {
    const isPending = cause.state === "pending";
    count(cause, isPending ? "pending" : countedAs(cause.severity));
    for (const { finding } of consequences) count(finding, isPending ? "pending" : "consequences");
  }
  return { counts, byNode: Object.fromEntries(nodes) };
}
