import { counted } from "../define/counted.ts";
import { Health, Liveness } from "../../api/node/health.ts";
import { gauge, gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { atNode, NODE_AWAY } from "../define/causes.ts";
import { Peers } from "../../api/node/info.ts";
import { WatchedValidators } from "../../api/node/platform.ts";
import { optional } from "../define/needs.ts";
import { agesOf } from "./peers.ts";

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
      ({ live: { date } }, { asked, times }) => skewOf(date, asked["live"] ?? -Infinity, times["live"] ?? Infinity),
    ),
  },
);

/**
 * The smallest skew, in seconds, unknown without the header, that is consistent with the header and the local times: the node wrote the header between
 * request and answer, in whole seconds. Rounded to milliseconds.
 */
export function skewOf(date: number | undefined, askedAt: number, answeredAt: number): number | undefined {
  if (date === undefined) return undefined;
  const [least, most] = [date - answeredAt, date + 1 - askedAt];
  const skew = least > 0 ? least : most < 0 ? most : 0;
  return Math.round(skew * 1000) / 1000 + 0;
}

export const impossibleTimes = topic(
  {
    id: "impossible-times",
    about: "Does the node report times that cannot be?",
    scope: "node",
    needs: { report: optional(Health), answer: optional(Peers), sets: optional(WatchedValidators) },
  },
  {
    count: gauges(
      "avax_node_impossible_times",
      "Times in the node's last answers that are absent because they cannot be; no series while there are none: more than five minutes after the answer though they are of the past, or a period that ends before it begins; an answer with such a block fails (health API, `timestamp`, `timeOfFirstFailure`; info.peers, `lastReceived`; platform.getCurrentValidators with nodeIDs, `startTime`, `endTime`).",
      ["api_endpoint"],
      ({ report, answer, sets }) => {
        const checks = Object.values(report?.checks ?? {});
        const stakes = [...(sets?.values() ?? [])].flatMap(({ validators }) => validators);
        const counts = [
          [{ api_endpoint: Health.id }, report && checks.reduce((sum, { late = 0 }) => sum + late, 0)],
          [{ api_endpoint: Peers.id }, answer && agesOf(answer).unknown],
          [{ api_endpoint: WatchedValidators.id }, sets && stakes.filter(({ wrongPeriod }) => wrongPeriod).length],
        ] as const;
        return counts.filter(([, count]) => count !== 0);
      },
    ),
  },
  ({ count }) => ({
    AvaxNodeTimesImpossible: {
      severity: "warning",
      when: { of: count, above: 0 },
      labels: ["node", "network", "api_endpoint"],
      for: "10m",
      explainedBy: [
        ...NODE_AWAY,
        atNode("AvaxNodeClockWrong", "The node's clock is wrong: so are the times that it records."),
      ],
      summary: `{{ $labels.node }}: {{ $labels.api_endpoint }} has ${counted("impossible time")}`,
      over: "has possible times in {{ $labels.api_endpoint }}",
      description: "Alerts do not see them.",
      meaning:
        "Past times lie in the future, or periods end before they begin: the node's clock was far ahead when it recorded them, or what answers is not the node: a proxy or a modified build.",
      confirm: "`avax_node_impossible_times` has the endpoint. Compare the times in its answer with `date -u`.",
      commands: {
        "call <node> /ext/health": "`timestamp` and `timeOfFirstFailure` of each check, in UTC.",
        "call <node> info.peers": "`lastReceived` of each peer.",
      },
      action: "Synchronize the node's clock and restart the node, which forgets such times.",
      falsePositives:
        "The clock of the exporter's machine is more than five minutes behind: AvaxExporterClockWrong then fires for most nodes.",
    },
  }),
);
