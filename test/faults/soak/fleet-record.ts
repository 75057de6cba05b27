import { byNode, labelOf, sumOf, type Scrape } from "./scrape.ts";

/** Figures of the nodes that were well. */
export type FleetFigures = {
  /** Samples of `avax_node_up`. */
  readonly judged: number;
  readonly missed: number;
  readonly failed: number;
  readonly down: number;
  /** Age of the last success of an endpoint beyond nothing, in its intervals: up to 1 and the duration of a poll is on time. */
  readonly staleP99: number;
  readonly staleMax: number;
  /** Polls of all nodes. */
  readonly polls: number;
  readonly series: number;
};

export type FleetTotal = FleetFigures & {
  readonly last: Scrape | undefined;
  readonly faults: number;
  /** Highest resident memory, bytes. */
  readonly peak: number;
  /** The first missed polls and samples that show a node down. */
  readonly problems: readonly string[];
};

export type FleetRecord = {
  readonly began: (node: number, fault: string) => void;
  /** @param at Unix seconds */
  readonly ended: (node: number, at: number) => void;
  /** Compares a scrape with the one before. @param at Unix seconds of its request */
  readonly take: (scrape: Scrape, at: number) => void;
  readonly peak: (resident: number) => void;
  /** Figures since the last call. */
  readonly sinceLine: () => FleetFigures;
  readonly total: () => FleetTotal;
};

/** Seconds after the end of a fault in which polls that began during it may still fail or be missed. */
const RECOVERY = 45;
const MOST_PROBLEMS = 40;
/** Ages are counted in hundredths of an interval up to this one: an hour has a million of them. */
const MOST_STALE = 20;

type Counts = {
  judged: number;
  missed: number;
  failed: number;
  down: number;
  polls: number;
  readonly ages: Uint32Array;
  staleMax: number;
};
const noCounts = (): Counts => ({
  judged: 0,
  missed: 0,
  failed: 0,
  down: 0,
  polls: 0,
  ages: new Uint32Array(MOST_STALE * 100 + 1),
  staleMax: 0,
});

/** What the scrapes of a fleet show about the nodes that were well. @param names of the nodes, in their order */
export function createFleetRecord(names: readonly string[]): FleetRecord {
  const faultOf = new Map<number, string>();
  const endedAt = new Map<number, number>();
  const problems: string[] = [];
  let before: { readonly scrape: Scrape; readonly at: number } | undefined;
  let line = noCounts();
  const all = noCounts();
  let [faults, peak] = [0, 0];

  /** Whether a node had no fault since some time before the last scrape. */
  const isWell = (node: number, since: number): boolean =>
    !faultOf.has(node) && (endedAt.get(node) ?? -Infinity) + RECOVERY < since;

  function count(key: "judged" | "missed" | "failed" | "down" | "polls", by: number): void {
    line[key] += by;
    all[key] += by;
  }

  function problem(text: string, at: number): void {
    if (problems.length < MOST_PROBLEMS) problems.push(`${new Date(at * 1000).toISOString()} ${text}`);
  }

  function judge(scrape: Scrape, last: Scrape, since: number, at: number): ReadonlySet<string> {
    const well = new Set<string>();
    const up = byNode(scrape, "avax_node_up");
    const missed = grownByNode(last, scrape, "avax_polls_missed_total");
    const failed = grownByNode(last, scrape, "avax_poll_failures_total");
    for (const [node, name] of names.entries()) {
      if (!isWell(node, since)) continue;
      well.add(name);
      count("judged", 1);
      count("missed", missed.get(name) ?? 0);
      count("failed", failed.get(name) ?? 0);
      if ((missed.get(name) ?? 0) > 0) problem(`${name} missed ${missed.get(name)}`, at);
      if ((failed.get(name) ?? 0) > 0) problem(`${name} failed: ${failedSeries(last, scrape, name)}`, at);
      if (up.get(name) === 1) continue;
      count("down", 1);
      problem(`${name} is shown down: ${up.get(name)}`, at);
    }
    return well;
  }

  function ages(scrape: Scrape, well: ReadonlySet<string>, at: number): void {
    const intervals = byEndpoint(scrape, "avax_endpoint_interval_seconds");
    for (const [key, success] of byEndpoint(scrape, "avax_endpoint_last_success_timestamp_seconds")) {
      const every = intervals.get(key);
      if (every === undefined || !well.has(key.slice(0, key.indexOf(" ")))) continue;
      const age = Math.max(0, at - success) / every;
      for (const counts of [line, all]) {
        const slot = Math.min(MOST_STALE * 100, Math.floor(age * 100));
        counts.ages[slot] = (counts.ages[slot] ?? 0) + 1;
        counts.staleMax = Math.max(counts.staleMax, age);
      }
    }
  }

  const figures = (counts: Counts): FleetFigures => ({
    judged: counts.judged,
    missed: counts.missed,
    failed: counts.failed,
    down: counts.down,
    polls: counts.polls,
    staleMax: counts.staleMax,
    staleP99: percentile99(counts.ages),
    series: before?.scrape.values.size ?? 0,
  });

  return {
    began(node, fault) {
      faults++;
      faultOf.set(node, fault);
    },
    ended(node, at) {
      faultOf.delete(node);
      endedAt.set(node, at);
    },
    take(scrape, at) {
      if (before !== undefined) {
        const last = before.scrape;
        ages(scrape, judge(scrape, last, before.at, at), at);
        const polls = "avax_poll_duration_seconds_count";
        count("polls", Math.max(0, sumOf(scrape, polls) - sumOf(last, polls)));
      }
      before = { scrape, at };
    },
    peak: (resident) => void (peak = Math.max(peak, resident)),
    sinceLine() {
      const found = figures(line);
      line = noCounts();
      return found;
    },
    total: () => ({ ...figures(all), last: before?.scrape, faults, peak, problems }),
  };
}

function grownByNode(before: Scrape, now: Scrape, family: string): ReadonlyMap<string, number> {
  const was = byNode(before, family);
  return new Map([...byNode(now, family)].map(([node, value]) => [node, value - (was.get(node) ?? 0)]));
}

/** Reasons of the failures since the scrape before. */
function failedSeries(before: Scrape, now: Scrape, node: string): string {
  const grown = [...now.values].filter(
    ([series, value]) =>
      series.startsWith("avax_poll_failures_total{") &&
      labelOf(series, "node") === node &&
      value > (before.values.get(series) ?? 0),
  );
  return grown
    .map(([series, value]) => `${labelOf(series, "reason")} ${value - (before.values.get(series) ?? 0)}`)
    .join(", ");
}

/** Values by node and endpoint. */
function byEndpoint({ values }: Scrape, family: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [series, value] of values)
    if (series.startsWith(`${family}{`))
      found.set(`${labelOf(series, "node")} ${labelOf(series, "api_endpoint")}`, value);
  return found;
}

function percentile99(ages: Uint32Array): number {
  const total = ages.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [slot, count] of ages.entries()) {
    seen += count;
    if (total > 0 && seen >= 0.99 * total) return (slot + 1) / 100;
  }
  return 0;
}
