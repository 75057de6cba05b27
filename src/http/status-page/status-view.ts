import { countsOf } from "../../diagnosis/count-problems.ts";
import type { Diagnosis, Finding, NodeOverview, ProblemCounts } from "../../diagnosis/finding.ts";
import type { EndpointStatus, Status, TargetStatus } from "../../poller/poll/status.ts";
import { BEHIND_FOR } from "../../topics/chains/lag.ts";

/**
 * The condition of a target, worst first. `failing`: some endpoints fail; `troubled`: all answer, but there are problems or
 * consequences; `unknown`: an endpoint has not been polled yet.
 */
export const CONDITIONS = ["down", "failing", "troubled", "unknown", "healthy"] as const;
export type NodeCondition = (typeof CONDITIONS)[number];

/** What the page shows of a target. */
export type TargetView = {
  readonly target: TargetStatus;
  readonly condition: NodeCondition;
  readonly isBehind: boolean;
  readonly isStarting: boolean;
  /** Whether its validator would not be paid. */
  readonly isLost: boolean;
  readonly isNew: boolean;
  /** Endpoints that fail. */
  readonly failing: number;
  /** `pages` and `tickets` are pending; `claim`: whether the node reports itself healthy. */
  readonly problems: ProblemCounts & {
    readonly pages: number;
    readonly tickets: number;
    readonly claim: boolean | undefined;
  };
  /** Its first problems and consequences, worst first. */
  readonly findings: readonly Finding[];
  /** What the samples show about a node. */
  readonly overview: NodeOverview;
  /** Time of the last answer of any endpoint, Unix seconds. */
  readonly lastAnswer: number | undefined;
};
type Facts = Omit<TargetView, "condition">;
/** The worst first, else in the order of the configuration. */
export type StatusView = { readonly nodes: readonly TargetView[]; readonly services: readonly TargetView[] };

/** Findings of one node that are listed at it. */
const LISTED = 12;

/** Views of nodes and hosted services. */
export function viewStatus({ targets, now }: Status, diagnosis?: Diagnosis): StatusView {
  const findings = findingsByNode(diagnosis?.problems ?? []);
  const views = targets.map((target): TargetView => {
    const facts = factsOf(target, findings.get(target.name) ?? [], now, diagnosis);
    return { ...facts, condition: conditionOf(facts) };
  });
  return {
    nodes: views.filter(({ target }) => target.hosted !== true).sort((a, b) => rankOf(b) - rankOf(a)),
    services: views.filter(({ target }) => target.hosted === true),
  };
}

/** What is firing comes first, then what is pending, then consequences; each worst first. */
function findingsByNode(problems: Diagnosis["problems"]): ReadonlyMap<string | undefined, readonly Finding[]> {
  const { firing = [], pending = [] } = Object.groupBy(problems, ({ state }) => state);
  const consequences = problems.flatMap((problem) => problem.consequences);
  return Map.groupBy([...firing, ...pending, ...consequences], ({ node, labels }) => node ?? labels["node"]);
}

/** A node that lacks this many blocks, or lacks one for this many seconds, is behind. Fewer are on their way. */
const BEHIND = { blocks: 20, seconds: BEHIND_FOR };

function factsOf(target: TargetStatus, findings: readonly Finding[], now: number, diagnosis?: Diagnosis): Facts {
  const { name, endpoints } = target;
  const { overview: all = {}, byNode = {}, claims = {} } = diagnosis ?? {};
  const overview: NodeOverview = (Object.hasOwn(all, name) ? all[name] : undefined) ?? {};
  const { blocks = 0, since = now } = overview.lag ?? {};
  const pending = findings.filter((finding) => finding.state === "pending" && !("explainedBy" in finding));
  const withSeverity = (severity: Finding["severity"]) => pending.filter((each) => each.severity === severity).length;
  const answers = endpoints.map(({ lastSuccess }) => lastSuccess).filter((time) => time !== undefined);
  return {
    target,
    isBehind: blocks >= BEHIND.blocks || (blocks > 0 && now - since >= BEHIND.seconds),
    isStarting: findings.some(({ alert }) => alert === "AvaxNodeBootstrapping"),
    isLost: (overview.downtimeLeft ?? 0) < 0,
    isNew: target.up !== false && endpoints.some(({ state }) => state === "waiting"),
    failing: endpoints.filter(isFailing).length,
    problems: {
      ...countsOf({ byNode }, name),
      pages: withSeverity("critical"),
      tickets: withSeverity("warning"),
      claim: claims[name],
    },
    findings: findings.slice(0, LISTED),
    overview,
    lastAnswer: answers.length === 0 ? undefined : Math.max(...answers),
  };
}

function conditionOf({ target, failing, isBehind, isLost, isNew, problems }: Facts): NodeCondition {
  const { critical, warning, consequences, pages, tickets } = problems;
  if (target.up === false) return "down";
  if (failing > 0) return "failing";
  if (isBehind || isLost || critical + warning + consequences + pages + tickets > 0) return "troubled";
  return target.up === undefined || isNew ? "unknown" : "healthy";
}

/** Down, then by problems that page now and soon, lag and a lost reward, then by warnings, endpoints and consequences, then unknown. */
function rankOf({ condition, isBehind, isLost, failing, problems }: TargetView): number {
  const { critical, pages, warning, tickets, consequences, pending } = problems;
  const urgent = [condition === "down", critical, pages, isBehind, isLost, warning, failing > 0, tickets];
  return [...urgent, consequences, condition === "unknown", pending].reduce<number>(
    (rank, each) => rank * 20 + Math.min(Number(each), 19),
    0,
  );
}

export function isFailing({ state }: EndpointStatus): boolean {
  return state === "failing";
}
