import type { Failure } from "../../api/reasons.ts";
import { countsOf } from "../../diagnosis/counts.ts";
import type { Counts, Diagnosis, Finding } from "../../diagnosis/finding.ts";
import type { EndpointStatus, EndpointState, Status, TargetStatus } from "../../poller/poll/status.ts";
import { count, grouped } from "./count.ts";

/** The condition of a target, worst first. `failing`: some endpoints fail; `troubled`: all answer, but there are problems or consequences. */
export const CONDITIONS = ["down", "failing", "troubled", "unknown", "healthy"] as const;
export type Condition = (typeof CONDITIONS)[number];

export type TargetView = Readonly<ReturnType<typeof viewTarget>>;
export type StatusView = Readonly<ReturnType<typeof viewStatus>>;

/** Endpoints that fail with the same reason and message, or endpoints that do not fail. */
export type EndpointGroup = { readonly error: Failure | undefined; readonly endpoints: readonly EndpointStatus[] };

/** Findings of one node that are listed at it. */
const LISTED = 12;

/** Views of nodes and hosted services, the worst first, else in the order of the configuration. */
export function viewStatus({ targets, probed = 0 }: Status, diagnosis?: Diagnosis) {
  const findings = diagnosis === undefined ? NO_FINDINGS : findingsByNode(diagnosis);
  const views = targets.map((target) => viewTarget(target, diagnosis, findings.get(target.name) ?? []));
  const nodes = views.filter(({ target }) => target.hosted !== true).sort(worstFirst);
  return {
    /** The state of the fleet in one line. */
    headline: headlineOf(nodes, probed, diagnosis?.counts),
    tone: toneOf(nodes, diagnosis?.counts),
    /** The nodes, worst first. */
    nodes,
    /** The hosted services. */
    services: views.filter(({ target }) => target.hosted === true),
  };
}

/** The failing endpoints grouped by error, then the others: waiting, answering, unsupported. */
export function groupEndpoints(endpoints: readonly EndpointStatus[]): readonly EndpointGroup[] {
  const failing = Map.groupBy(
    endpoints.filter(isFailing),
    ({ error }) => `${error?.reason ?? ""}\n${error?.message ?? ""}`,
  );
  const groups = [...failing.values()].map((group) => ({ error: group[0]?.error, endpoints: group }));
  const others = OTHER_STATES.flatMap((state) => endpoints.filter((endpoint) => endpoint.state === state));
  return others.length === 0 ? groups : [...groups, { error: undefined, endpoints: others }];
}

const OTHER_STATES: readonly EndpointState[] = ["waiting", "ok", "unsupported"];

const NO_PROBLEMS: Counts = { critical: 0, warning: 0, info: 0, pending: 0, consequences: 0 };
const NO_FINDINGS: ReadonlyMap<string, readonly Finding[]> = new Map();

/** The first problems and consequences of each node. What is firing comes first. */
function findingsByNode({ problems }: Diagnosis): ReadonlyMap<string, readonly Finding[]> {
  const nodes = new Map<string, Finding[]>();
  const add = (finding: Finding): void => {
    const node = finding.node ?? finding.labels["node"];
    if (node === undefined) return;
    const others = nodes.get(node);
    if (others === undefined) nodes.set(node, [finding]);
    else if (others.length < LISTED) others.push(finding);
  };
  for (const state of ["firing", "pending"]) for (const problem of problems) if (problem.state === state) add(problem);
  for (const { consequences } of problems) for (const each of consequences) add(each);
  return nodes;
}

function viewTarget(target: TargetStatus, diagnosis: Diagnosis | undefined, findings: readonly Finding[]) {
  const { name, endpoints } = target;
  const counts = diagnosis === undefined ? NO_PROBLEMS : countsOf(diagnosis, name);
  const failing = endpoints.filter(isFailing).length;
  const answers = endpoints.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  return {
    target,
    condition: conditionOf(target, failing, counts.critical + counts.warning + counts.consequences > 0),
    failing,
    /** `claim`: whether the node reports itself healthy. */
    problems: { ...counts, claim: diagnosis?.claims[name] },
    /** Its first problems and consequences, worst first. */
    findings,
    /** What the samples show about a node. */
    overview:
      diagnosis !== undefined && Object.hasOwn(diagnosis.overview, name) ? (diagnosis.overview[name] ?? {}) : {},
    /** Time of the last answer of any endpoint, Unix seconds. */
    lastAnswer: answers.length === 0 ? undefined : Math.max(...answers),
  };
}

function conditionOf({ up }: TargetStatus, failing: number, troubled: boolean): Condition {
  if (up === false) return "down";
  if (failing > 0) return "failing";
  if (troubled) return "troubled";
  return up === undefined ? "unknown" : "healthy";
}

/** Down, then by critical problems, failing endpoints, warnings and consequences, then unknown, then pending. */
function worstFirst(a: TargetView, b: TargetView): number {
  return rankOf(b) - rankOf(a);
}

function rankOf({ condition, failing, problems }: TargetView): number {
  const { critical, warning, consequences, pending } = problems;
  const urgent = [condition === "down", critical, failing > 0, warning, consequences, condition === "unknown", pending];
  return urgent.reduce<number>((rank, each) => rank * 100 + Math.min(Number(each), 99), 0);
}

function isFailing({ state }: EndpointStatus): boolean {
  return state === "failing";
}

/** A node, with the number of its failing endpoints. */
type Node = { readonly target: { readonly up: boolean | undefined }; readonly failing: number };

/** The state of the fleet: `bad` with critical problems, `warn` with others, `unknown` while a node has not been polled. */
export type Tone = "bad" | "warn" | "unknown" | "good";

/** The most urgent problems, then how many nodes are up. Pending problems are not counted. */
export function headlineOf(nodes: readonly Node[], probed: number, counts: Counts | undefined): string {
  const problems = counts === undefined ? "" : `${urgent(counts)}; `;
  if (nodes.length === 0)
    return probed === 0 ? "No nodes configured" : `${count(probed, "node")}, polled on probes only`;
  const up = nodes.filter(({ target }) => target.up === true).length;
  const unknown = nodes.filter(({ target }) => target.up === undefined).length;
  const but = unknown === 0 ? "" : `, ${grouped(unknown)} unknown`;
  return `${problems}${grouped(up)} of ${count(nodes.length, "node")} up${but}`;
}

function urgent({ critical, warning, info, pending }: Counts): string {
  if (critical > 0) return count(critical, "critical problem");
  if (warning > 0) return count(warning, "warning");
  return info + pending > 0 ? "No urgent problems" : "No problems";
}

/** Without a diagnosis a node that is down is bad at once. With one its alert decides, which allows time for a restart. */
export function toneOf(nodes: readonly Node[], counts: Counts | undefined): Tone {
  const down = nodes.some(({ target }) => target.up === false);
  if ((counts?.critical ?? 0) > 0 || (down && counts === undefined)) return "bad";
  const failing = counts === undefined && nodes.some(({ failing: number }) => number > 0);
  if (down || failing || (counts?.warning ?? 0) > 0) return "warn";
  return nodes.length === 0 || nodes.some(({ target }) => target.up === undefined) ? "unknown" : "good";
}
