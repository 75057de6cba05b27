import { Health, Liveness } from "../../api/node/health.ts";
import { gauge, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { atNode, NODE_AWAY } from "../define/causes.ts";
import { threshold } from "../define/threshold.ts";
import { EvmHead } from "../../api/node/evm-head.ts";
import { Peers } from "../../api/node/info.ts";
import { WatchedValidators } from "../../api/node/platform.ts";
import { maybe } from "../define/needs.ts";
import { latestOf, past } from "../past.ts";
import { agesOf } from "./peers.ts";

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

export const impossibleTimes = topic(
  {
    id: "impossible-times",
    about: "Does the node report times that cannot be?",
    scope: "node",
    needs: { report: maybe(Health), answer: maybe(Peers), heads: maybe(EvmHead), sets: maybe(WatchedValidators) },
  },
  {
    count: gauges(
      "avax_node_impossible_times",
      "Times in the node's last answers that are absent because they cannot be: more than five minutes after the answer though they are of the past, or a period that ends before it begins (health API, `timestamp`, `timeOfFirstFailure`; info.peers, `lastReceived`; eth_getBlockByNumber latest, `timestamp`; platform.getCurrentValidators with nodeIDs, `startTime`, `endTime`).",
      ["api_endpoint"],
      ({ report, answer, heads, sets }, context) => {
        const late = (times: ReadonlyArray<number | undefined>, latest: number) =>
          times.filter((time) => time !== undefined && past(time, latest) === undefined).length;
        const checks = Object.values(report?.checks ?? {}).flatMap((each) => [each.timestamp, each.timeOfFirstFailure]);
        const stakes = [...(sets?.values() ?? [])].flatMap(({ validators }) => validators);
        const starts = stakes.map(({ startTime }) => startTime);
        const blocks = [...(heads?.values() ?? [])].map(({ head }) => head.time);
        return [
          [{ api_endpoint: Health.id }, report && late(checks, latestOf(context, "report", report.date))],
          [{ api_endpoint: Peers.id }, answer && agesOf(answer, latestOf(context, "answer", answer.date)).unknown],
          [{ api_endpoint: EvmHead.id }, heads && late(blocks, latestOf(context, "heads"))],
          [
            { api_endpoint: WatchedValidators.id },
            sets && late(starts, latestOf(context, "sets")) + stakes.filter(({ wrongPeriod }) => wrongPeriod).length,
          ],
        ];
      },
    ),
  },
  ({ count }) => ({
    AvaxNodeTimesImpossible: {
      severity: "warning",
      expr: `sum without (api_endpoint) (${count}) > 0`,
      for: "10m",
      explainedBy: [
        ...NODE_AWAY,
        atNode("AvaxNodeClockWrong", "The node's clock is wrong: so are the times that it records."),
      ],
      summary: '{{ $labels.node }} reports {{ $value | printf "%.0f" }} times that cannot be',
      description:
        "Past times are in the future, or periods end before they begin. Alerts about checks, blocks and downtime do not see them.",
      meaning:
        "The node's clock was far ahead when it recorded these times, or what answers is not the node: a proxy or a modified build.",
      confirm: "`avax_node_impossible_times` has the endpoint. Compare the times in its answer with `date -u`.",
      commands: {
        "call <node> /ext/health": "`timestamp` and `timeOfFirstFailure` of each check, in UTC.",
        "call <node> info.peers": "`lastReceived` of each peer.",
      },
      action: "Synchronize the clock of the node's machine and restart the node, which forgets such times.",
      falseWhen:
        "The clock of the exporter's machine is more than five minutes behind: AvaxExporterClockWrong then fires for most nodes.",
    },
  }),
);
