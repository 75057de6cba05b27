import { Liveness } from "../../api/node/health.ts";
import { gauge, gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";
import { skewOf } from "./clock-skew.ts";

/** The standard is half of the skew that a node tolerates in the timestamp of a block. */
const wrong = threshold("clock-skew", "seconds", "when the clock of a node is wrong by more than this", {
  standard: 5,
  least: 1,
  most: 3_600,
});

const needs = { live: Liveness };
/** What all clocks have in common is the exporter's error; the rest is the node's. Seconds. */
type State = { readonly exporter: number | undefined; readonly nodes: ReadonlyMap<string, number> };

/**
 * The skew that more than half of the nodes, and at least two, have at least; 0 where they do not agree on the direction. One clock
 * that is wrong is more likely than many.
 */
export function commonSkew(skews: readonly number[]): number | undefined {
  if (skews.length < 2) return undefined;
  const sorted = skews.toSorted((a, b) => a - b);
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.max(lower, 0) + Math.min(upper, 0);
}

export const clockError = comparingTopic(
  {
    id: "clock-error",
    about: "Which clock is wrong: that of a node, or the exporter's?",
    needs,
    across: true,
    start: (): State => ({ exporter: undefined, nodes: new Map() }),
    compare: (_state, { members }: ComparedData<typeof needs>): State => {
      const skews = members.flatMap(({ facts, answers: { live } }) => {
        const skew = live === undefined ? undefined : skewOf(live.value.date, live.askedAt, live.answeredAt);
        return skew === undefined ? [] : [[facts.node, skew] as const];
      });
      const common = commonSkew(skews.map(([, skew]) => skew));
      const own = skews.map(([node, skew]) => [node, errorOf(skew - (common ?? 0))] as const);
      return { exporter: common === undefined ? undefined : errorOf(common), nodes: new Map(own) };
    },
  },
  {
    node: gauges(
      "avax_node_clock_error_seconds",
      "By how much the node's clock is wrong at least, ahead or behind: its skew, less what more than half of the nodes have in common (health API liveness, HTTP header `Date`).",
      ["node"],
      ({ state: { nodes } }) => [...nodes].map(([node, error]) => [{ node }, error] as const),
    ),
    exporter: gauge(
      "avax_exporter_clock_error_seconds",
      "By how much the exporter's own clock is wrong at least, ahead or behind: the skew that more than half of its nodes have in common; absent with fewer than two (health API liveness, HTTP header `Date`).",
      ({ state: { exporter } }) => exporter,
    ),
  },
  ({ node, exporter }) => ({
    AvaxNodeClockWrong: {
      severity: "warning",
      when: { of: node, above: wrong },
      labels: ["node", "network", "shard"],
      for: "10m",
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }} has a clock off by at least {{ $value | humanizeDuration }}",
      over: "has the right time again",
      meaning:
        "A node rejects blocks whose time is more than 10 seconds ahead of its own clock. With a clock that is behind, the node falls behind its network. With a clock that is ahead, others reject the blocks that it builds, and it misses its turn.",
      confirm:
        "`avax_node_clock_skew_seconds` of all nodes, positive when the node is ahead. If all differ alike, the clock of the exporter's machine is wrong. On the node's machine: `timedatectl`, `chronyc tracking`.",
      commands: {
        "call <node> info.peers":
          "`lastReceived` of the busiest peers is the node's own clock, at most a second old: compare it with `date -u` here.",
      },
      action: "Synchronize the machine's clock by NTP.",
      falsePositives:
        "The exporter's own clock is wrong, and it polls fewer than two nodes, or a proxy between exporter and node puts its own time into the header.",
    },
    AvaxExporterClockWrong: {
      severity: "warning",
      when: { of: exporter, above: wrong, perExporter: true },
      labels: ["shard"],
      for: "10m",
      summary: "{{ $labels.instance }} has a clock off by at least {{ $value | humanizeDuration }}",
      over: "has the right time again",
      description: "More than half of its nodes differ from it.",
      meaning:
        "Ages, downtime budgets and the time left until an upgrade are computed by the exporter's clock, and are wrong by as much. Five minutes behind, polls of blocks fail: they are dated in its future.",
      confirm:
        "`avax_node_clock_skew_seconds` of all nodes: about the same value. `timedatectl` on the exporter's machine.",
      commands: {
        "call <any-node> /ext/health/liveness":
          "The node answers: compare its clock and that of this machine with a third one.",
      },
      action: "Synchronize the clock of the exporter's machine by NTP.",
      falsePositives: "Most nodes run on one machine, and its clock is wrong.",
    },
  }),
);

/** Without its sign, rounded to milliseconds. */
const errorOf = (skew: number): number => Math.round(Math.abs(skew) * 1000) / 1000;
