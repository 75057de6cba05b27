import type { Failure } from "../../api/reasons.ts";
import { countsOf } from "../../diagnosis/counts.ts";
import type { Counts, Diagnosis, Finding, NodeOverview } from "../../diagnosis/finding.ts";
import type { EndpointStatus, EndpointState, Status, TargetStatus } from "../../poller/poll/status.ts";
import { headlineOf, toneOf } from "./headline.ts";

/**
 * The condition of a target, worst first. `failing`: some endpoints fail; `troubled`: all answer, but there are problems or
 * consequences; `unknown`: an endpoint has not been polled yet.
 */
export const CONDITIONS = ["down", "failing", "troubled", "unknown", "healthy"] as const;
export type Condition = (typeof CONDITIONS)[number];

export type TargetView = Readonly<ReturnType<typeof viewTarget>>;
export type StatusView = Readonly<ReturnType<typeof viewStatus>>;

/** Endpoints that fail with the same reason and message, or endpoints that do not fail. */
export type EndpointGroup = { readonly error: Failure | undefined; readonly endpoints: readonly EndpointStatus[] };

/** Findings of one node that are listed at it. */
const LISTED = 12;

/** Views of nodes and hosted services, the worst first, else in the order of the configuration. */
export function viewStatus({ targets, now, probed = 0 }: Status, diagnosis?: Diagnosis) {
  const findings: ReadonlyMap<string, Found> = diagnosis === undefined ? new Map() : findingsByNode(diagnosis);
  const views = targets.map((target) => viewTarget(target, diagnosis, findings.get(target.name) ?? NO_FINDINGS, now));
  const nodes = views.filter(({ target }) => target.hosted !== true).sort(worstFirst);
  return {
    /** The state of the fleet in one line. */
    headline: headlineOf(nodes, probed, diagnosis),
    tone: toneOf(nodes, diagnosis),
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

/** The first problems and consequences of a node, worst first, and the numbers of its pending problems that page or are tickets. */
type Found = { readonly listed: readonly Finding[]; readonly pages: number; readonly tickets: number };

const NO_FINDINGS: Found = { listed: [], pages: 0, tickets: 0 };

/** What is firing comes first. */
function findingsByNode({ problems }: Diagnosis): ReadonlyMap<string, Found> {
  const nodes = new Map<string, { listed: Finding[]; pages: number; tickets: number }>();
  const add = (finding: Finding): void => {
    const node = finding.node ?? finding.labels["node"];
    if (node === undefined) return;
    const found = nodes.get(node) ?? { listed: [], pages: 0, tickets: 0 };
    nodes.set(node, found);
    if (found.listed.length < LISTED) found.listed.push(finding);
    if (finding.state !== "pending" || "explainedBy" in finding) return;
    if (finding.severity === "critical") found.pages += 1;
    if (finding.severity === "warning") found.tickets += 1;
  };
  for (const state of ["firing", "pending"]) for (const problem of problems) if (problem.state === state) add(problem);
  for (const { consequences } of problems) for (const each of consequences) add(each);
  return nodes;
}

/** A node that lacks this many blocks, or lacks one for this many seconds, is behind. Fewer are on their way. */
const BEHIND = { blocks: 20, seconds: 60 };

/** Whether a node does not follow its chains, or would not be paid. */
function judged({ lag, downtimeLeft = 0 }: NodeOverview, now: number) {
  const isBehind = lag !== undefined && lag.blocks > 0;
  return {
    isBehind: isBehind && (lag.blocks >= BEHIND.blocks || now - (lag.since ?? now) >= BEHIND.seconds),
    isLost: downtimeLeft < 0,
  };
}

function viewTarget(target: TargetStatus, diagnosis: Diagnosis | undefined, found: Found, now: number) {
  const { name, endpoints } = target;
  const overview =
    diagnosis !== undefined && Object.hasOwn(diagnosis.overview, name) ? (diagnosis.overview[name] ?? {}) : {};
  const { isBehind, isLost } = judged(overview, now);
  const counts = diagnosis === undefined ? NO_PROBLEMS : countsOf(diagnosis, name);
  const failing = endpoints.filter(isFailing).length;
  const isNew = target.up !== false && endpoints.some(({ state }) => state === "waiting");
  const troubles = counts.critical + counts.warning + counts.consequences + found.pages + found.tickets;
  const answers = endpoints.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  return {
    target,
    condition: conditionOf(target, { failing: failing > 0, troubled: isBehind || isLost || troubles > 0, isNew }),
    isBehind,
    isLost,
    isNew,
    failing,
    /** `claim`: whether the node reports itself healthy. */
    problems: { ...counts, pages: found.pages, tickets: found.tickets, claim: diagnosis?.claims[name] },
    /** Its first problems and consequences, worst first. */
    findings: found.listed,
    /** What the samples show about a node. */
    overview,
    /** Time of the last answer of any endpoint, Unix seconds. */
    lastAnswer: answers.length === 0 ? undefined : Math.max(...answers),
  };
}

function conditionOf({ up }: TargetStatus, is: Readonly<Record<"failing" | "troubled" | "isNew", boolean>>): Condition {
  if (up === false) return "down";
  if (is.failing) return "failing";
  if (is.troubled) return "troubled";
  return up === undefined || is.isNew ? "unknown" : "healthy";
}

/** Down, then by problems that page now and soon, lag and a lost reward, then by warnings, endpoints and consequences, then unknown. */
function worstFirst(a: TargetView, b: TargetView): number {
  return rankOf(b) - rankOf(a);
}

function rankOf({ condition, isBehind, isLost, failing, problems }: TargetView): number {
  const { critical, pages, warning, tickets, consequences, pending } = problems;
  const urgent = [condition === "down", critical, pages, isBehind, isLost, warning, failing > 0, tickets];
  return [...urgent, consequences, condition === "unknown", pending].reduce<number>(
    (rank, each) => rank * 20 + Math.min(Number(each), 19),
    0,
  );
}

function isFailing({ state }: EndpointStatus): boolean {
  return state === "failing";
}
