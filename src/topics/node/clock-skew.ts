import { Liveness } from "../../api/node/health.ts";
import { gauge } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { NODE_AWAY } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";

/** The standard is half of the skew that a node tolerates in the timestamp of a block. */
const wrong = threshold("clock-skew", "seconds", "when the clock of a node is wrong by more than this", {
  standard: 5,
  least: 1,
  most: 3_600,
});

export const clockSkew = topic(
  {
    id: "clock-skew",
    about: "Does the node's clock agree with the exporter's?",
    scope: "node",
    needs: { live: Liveness },
    formulas: [
      {
        metric: "avax_node_clock_skew_seconds",
        formula: "Date - time of the answer, if positive; Date + 1 s - time of the request, if negative; else 0",
        example: "Request at 100.4 s, answer at 100.6 s, and a Date of 106.",
        result: 5.4,
      },
    ],
  },
  {
    skew: gauge(
      "avax_node_clock_skew_seconds",
      "Minimum lead of this node's clock over the exporter's, negative when it is behind; 0 while the header's whole seconds and the transfer time explain the difference (health API liveness, HTTP header `Date`).",
      ({ live: { date } }, { asked, times }) =>
        date === undefined ? undefined : skewOf(date, asked["live"] ?? -Infinity, times["live"] ?? Infinity),
    ),
  },
  ({ skew }) => ({
    AvaxNodeClockWrong: {
      severity: "warning",
      expr: `abs(${skew}) > ${wrong} unless on (job, instance) (${mostAreWrong(skew.name)})`,
      labels: ["node", "network"],
      for: "10m",
      explainedBy: [...NODE_AWAY],
      summary: "{{ $labels.node }} has a clock that is off by at least {{ $value | humanizeDuration }}",
      description: "It differs that much from the exporter's clock.",
      meaning:
        "A node rejects blocks whose time is more than 10 seconds ahead of its own clock. With a clock that is behind, the node falls behind its network. With a clock that is ahead, others reject the blocks that it builds, and it misses its turn.",
      confirm:
        "`avax_node_clock_skew_seconds` of all nodes, positive when the node is ahead. If all differ alike, the clock of the exporter's machine is wrong. On the node's machine: `timedatectl`, `chronyc tracking`.",
      commands: {
        "call <node> info.peers":
          "`lastReceived` of the busiest peers is the node's own clock, at most a second old: compare it with `date -u` here.",
      },
      action: "Synchronize the machine's clock by NTP (chrony or systemd-timesyncd).",
      falseWhen:
        "The exporter's own clock is wrong, and it polls fewer than two nodes, or a proxy between exporter and node puts its own time into the header.",
    },
    AvaxExporterClockWrong: {
      severity: "warning",
      expr: mostAreWrong(skew.name),
      labels: [],
      for: "10m",
      summary: "{{ $labels.instance }} has a wrong clock: {{ $value }} nodes differ from it",
      description: `They are more than half, and differ by more than ${wrong.words}. Many wrong clocks are one: the exporter's.`,
      meaning:
        "Ages, downtime budgets and the time left until an upgrade are computed by the exporter's clock, and are wrong by as much.",
      confirm:
        "`avax_node_clock_skew_seconds` of all nodes: about the same value. `timedatectl` on the exporter's machine.",
      commands: {
        "call <any-node> /ext/health/liveness":
          "The node answers: compare its clock and that of this machine with a third one.",
      },
      action: "Synchronize the clock of the exporter's machine by NTP (chrony or systemd-timesyncd).",
      falseWhen: "Most nodes run on one machine, and its clock is wrong.",
    },
  }),
);

/** More than half of several nodes, and how many. */
function mostAreWrong(skew: string): string {
  const off = `count without (node, network) (abs(${skew}) > ${wrong})`;
  return `${off} > 1 and ${off} > 0.5 * count without (node, network) (${skew})`;
}

/**
 * The smallest skew, in seconds, that is consistent with the header and the local times: the node wrote the header between
 * request and answer, in whole seconds. Rounded to milliseconds.
 */
function skewOf(date: number, askedAt: number, answeredAt: number): number {
  const [least, most] = [date - answeredAt, date + 1 - askedAt];
  const skew = least > 0 ? least : most < 0 ? most : 0;
  return Math.round(skew * 1000) / 1000 + 0;
}
