import { byNode, labelOf, sumOf, type Scrape } from "./scrape.ts";

/** What the scrapes of a fleet show about the nodes that were well. */
export type Figures = {
  /** Samples of `avax_node_up`. */
  readonly judged: number;
  readonly missed: number;
  readonly failed: number;
  readonly down: number;
  /** Polls of all nodes. */
  readonly polls: number;
  /** Greatest age of the last success of an endpoint, in its intervals: up to 1 and the duration of a poll is on time. */
  readonly stale: number;
};

export const NONE: Figures = { judged: 0, missed: 0, failed: 0, down: 0, polls: 0, stale: 0 };

export const together = (a: Figures, b: Figures): Figures => ({
  judged: a.judged + b.judged,
  missed: a.missed + b.missed,
  failed: a.failed + b.failed,
  down: a.down + b.down,
  polls: a.polls + b.polls,
  stale: Math.max(a.stale, b.stale),
});

/** Seconds after the end of a fault in which polls that began during it may still fail or be missed. */
const RECOVERY = 45;

export type FleetRecord = {
  readonly began: (node: number) => void;
  /** @param at Unix seconds */
  readonly ended: (node: number, at: number) => void;
  /** Compares a scrape with the one before. @param at Unix seconds of its request */
  readonly take: (scrape: Scrape, at: number) => Figures;
  /** The missed polls and the samples that show a node down. */
  readonly problems: readonly string[];
};

/** @param names of the nodes, in their order */
export function createFleetRecord(names: readonly string[]): FleetRecord {
  /** When the last fault of a node ended; infinite while it has one. */
  const faultyUntil = new Map<number, number>();
  const problems: string[] = [];
  let before: { readonly scrape: Scrape; readonly at: number } | undefined;
  return {
    began: (node) => void faultyUntil.set(node, Infinity),
    ended: (node, at) => void faultyUntil.set(node, at),
    take(scrape, at) {
      const last = before;
      before = { scrape, at };
      if (last === undefined) return NONE;
      const well = names.filter((_, node) => (faultyUntil.get(node) ?? -Infinity) + RECOVERY < last.at);
      const [missed, failed] = ["avax_polls_missed_total", "avax_polls_failed_total"].map((family) =>
        grown(byNode(last.scrape, family), byNode(scrape, family)),
      );
      const up = byNode(scrape, "avax_node_up");
      const found = well.map((name) => ({
        name,
        missed: missed?.get(name) ?? 0,
        failed: failed?.get(name) ?? 0,
        up: up.get(name),
      }));
      for (const each of found)
        if (each.missed > 0 || each.up !== 1)
          problems.push(`${new Date(at * 1000).toISOString()} ${JSON.stringify(each)} ${reasons(scrape, each.name)}`);
      const polls = "avax_poll_duration_seconds_count";
      return {
        judged: found.length,
        missed: found.reduce((sum, each) => sum + each.missed, 0),
        failed: found.reduce((sum, each) => sum + each.failed, 0),
        down: found.filter((each) => each.up !== 1).length,
        polls: Math.max(0, sumOf(scrape, polls) - sumOf(last.scrape, polls)),
        stale: mostOverdue(scrape, new Set(well)),
      };
    },
    problems,
  };
}

const grown = (was: ReadonlyMap<string, number>, is: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...is].map(([node, value]) => [node, value - (was.get(node) ?? 0)]));

/** The failures of a node so far, by reason. */
function reasons({ values }: Scrape, node: string): string {
  const own = [...values].filter(
    ([series]) => series.startsWith("avax_poll_failures_total{") && labelOf(series, "node") === node,
  );
  return own.map(([series, value]) => `${labelOf(series, "reason")} ${value}`).join(", ");
}

/** How long the stalest answer of these nodes is overdue, seconds. */
function mostOverdue(scrape: Scrape, nodes: ReadonlySet<string>): number {
  const overdue = [...byNode(scrape, "avax_node_overdue_seconds")].filter(([node]) => nodes.has(node));
  return Math.max(0, ...overdue.map(([, seconds]) => seconds));
}
