import { EvmHead } from "../../api/node/evm-head.ts";
import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { WatchedValidators } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
import { maybe } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { NODE_AWAY, SAME_NODE } from "../define/causes.ts";
import { latestPast, past } from "../past.ts";
import { latestOf as latestCheck } from "./health.ts";
import { agesOf, latestOf as latestMessage } from "./peers.ts";

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
        const at = (need: string) => latestPast(context.times[need] ?? context.time);
        const late = (times: ReadonlyArray<number | undefined>, latest: number) =>
          times.filter((time) => time !== undefined && past(time, latest) === undefined).length;
        const checks = Object.values(report?.checks ?? {}).flatMap((each) => [each.timestamp, each.timeOfFirstFailure]);
        const stakes = [...(sets?.values() ?? [])].flatMap(({ validators }) => validators);
        const starts = stakes.map(({ startTime }) => startTime);
        return [
          [{ api_endpoint: Health.id }, report && late(checks, latestCheck(report, context))],
          [{ api_endpoint: Peers.id }, answer && agesOf(answer, latestMessage(answer, context)).unknown],
          [
            { api_endpoint: EvmHead.id },
            heads &&
              late(
                [...heads.values()].map(({ head }) => head.time),
                at("heads"),
              ),
          ],
          [
            { api_endpoint: WatchedValidators.id },
            sets && late(starts, at("sets")) + stakes.filter(({ wrongPeriod }) => wrongPeriod).length,
          ],
        ];
      },
    ),
  },
  ({ count }) => ({
    AvaxNodeTimesImpossible: {
      severity: "warning",
      expr: `sum without (api_endpoint) (${count}) > 0`,
      labels: ["node", "network"],
      for: "10m",
      explainedBy: [
        ...NODE_AWAY,
        {
          alert: "AvaxNodeClockWrong",
          equal: SAME_NODE,
          why: "The node's clock is wrong: so are the times that it records.",
        },
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
