import { Liveness } from "../../api/node/health.ts";
import { gauge } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";

/** Half of the skew that a node tolerates in the timestamp of a block. Seconds. */
const CLOCK_SKEW = 5;

export const clockSkew = topic(
  {
    id: "clock-skew",
    about: "Is the node's clock right, by the exporter's own?",
    scope: "node",
    needs: { live: Liveness },
    formulas: [
      {
        metric: "avax_node_clock_skew_seconds",
        formula:
          "Date - when the answer came, where that is positive; Date + 1 s - when it was asked for, where that is negative; else 0",
        example: "Asked at 100.4 s, answered at 100.6 s, and the header says 106.",
        result: 5.4,
        given: () => ({
          data: { live: { healthy: true, checks: {}, date: 106 } },
          context: { asked: { live: 100.4 }, times: { live: 100.6 } },
        }),
      },
    ],
  },
  {
    skew: gauge(
      "avax_node_clock_skew_seconds",
      "How far the clock of this node is at least ahead of the exporter's, behind it when negative; 0 while the header's whole seconds and the way of the answer leave no difference (health API liveness, HTTP header `Date`).",
      ({ live: { date } }, { asked, times }) =>
        date === undefined ? undefined : skewOf(date, asked["live"] ?? -Infinity, times["live"] ?? Infinity),
    ),
  },
  ({ skew }) => [
    {
      name: "AvaxNodeClockWrong",
      severity: "warning",
      expr: `abs(${skew}) > ${CLOCK_SKEW}`,
      for: "10m",
      summary: "The clock of {{ $labels.node }} is off by {{ $value | humanizeDuration }} or more",
      description:
        "For 10 minutes the clock of {{ $labels.node }} has differed from the exporter's by {{ $value | humanizeDuration }} at least.",
      runbook: {
        meaning:
          "A node refuses blocks whose time is more than 10 seconds ahead of its own clock. With a clock that is behind it falls behind its network; with one that is ahead the blocks that it builds are refused by the others, and it misses its turn.",
        confirm:
          "`avax_node_clock_skew_seconds` of all nodes, positive when the node is ahead: when all differ alike, it is the clock of the exporter's machine. On the node's machine: `timedatectl`, `chronyc tracking`.",
        commands: [
          {
            run: "call <node> info.peers",
            see: "`lastReceived` of the busiest peers is the node's own clock, not older than a second: compare it with `date -u` here.",
          },
        ],
        action:
          "Have the machine's clock set by NTP (chrony or systemd-timesyncd) and see that it stays. Of a virtual machine that was suspended or moved, look at its host too.",
        falseWhen:
          "The exporter's own clock is wrong; or a proxy between exporter and node puts its own time into the header.",
      },
      fires: {
        series: { 'avax_node_clock_skew_seconds{node="a"}': "-7.2x20" },
        at: "15m",
        labels: { node: "a" },
      },
      silent: {
        series: { 'avax_node_clock_skew_seconds{node="a"}': "0x5 9x5 0.4x20" },
        at: "15m",
        why: "the clock was set",
      },
    },
  ],
);

/**
 * The smallest skew, in seconds, that is consistent with the header and the local times: the node wrote the header between
 * request and answer, in whole seconds. Rounded to milliseconds.
 */
function skewOf(date: number, askedAt: number, answeredAt: number): number {
  const [least, most] = [date - answeredAt, date + 1 - askedAt];
  const skew = least > 0 ? least : most < 0 ? most : 0;
  return Math.round(skew * 1000) / 1000 + 0;
}
