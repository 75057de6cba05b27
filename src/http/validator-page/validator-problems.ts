import type { Consequence, Diagnosis, Finding, Problem } from "../../diagnosis/finding.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-view.ts";

/** A problem about a validator, or a consequence with what it follows from. */
export type OwnProblem = Finding & { readonly because: string | undefined };

/** Problems that are listed. */
const MOST = 50;

/** The current problems about a validator: those with its node ID, and those of its polled nodes. Causes come first. */
export function problemsOf(diagnosis: Diagnosis, view: ValidatorView): readonly OwnProblem[] {
  const nodes = new Set(view.nodes.map(({ node }) => node));
  const isAbout = ({ labels }: Finding): boolean => {
    const { node, node_id: nodeId, network } = labels;
    // What a node observes of another validator is a problem of that one.
    if (nodeId !== undefined) return nodeId === view.nodeId && (network ?? view.network) === view.network;
    return node !== undefined && nodes.has(node);
  };
  const own = (problem: Problem): readonly OwnProblem[] => {
    const isOwn = isAbout(problem);
    const consequences = problem.consequences.filter(isAbout).map((each) => withCause(each, problem));
    return [...(isOwn ? [{ ...problem, because: undefined }] : []), ...consequences];
  };
  const found = diagnosis.problems.flatMap(own);
  return [
    ...found.filter(({ because }) => because === undefined),
    ...found.filter(({ because }) => because !== undefined),
  ].slice(0, MOST);
}

function withCause(consequence: Consequence, { summary }: Problem): OwnProblem {
  return { ...consequence, because: summary };
}
