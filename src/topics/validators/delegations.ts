import { Peers, Upgrades } from "../../api/node/info.ts";
import { OwnDelegations, PRIMARY, Validators } from "../../api/node/platform.ts";
import { toAvax } from "../../api/wire.ts";
import { NODE_OUT } from "../define/causes.ts";
import { gauge, gauges, type Context } from "../define/metric.ts";
import { maybe, type Data } from "../define/needs.ts";
import { topic } from "../define/topic.ts";
import { byRange } from "../labels.ts";
import { stakesOf } from "../stake.ts";
import { observationOf, uptimeByPeers } from "./observation.ts";
import { heliconOf, requirementOf } from "./requirement.ts";
import { END_BOUNDS, END_RANGES } from "./validators.ts";
import { attainableUptime } from "./verdict.ts";

const needs = { own: OwnDelegations, upgrades: maybe(Upgrades), sets: maybe(Validators), peers: maybe(Peers) };
const SOURCE = "(platform.getCurrentValidators with the node's own ID, `delegators`:";

/** The network decides about the reward of each delegation at its own end, by the validator's uptime since its own start. */
export const delegations = topic(
  {
    id: "delegations",
    about: "When do the delegations to this node's validator end, and which of them will not be rewarded?",
    scope: "node",
    needs,
    formulas: [
      {
        metric: "avax_node_delegations_unrewarded_avax",
        formula:
          "sum of the delegations with (uptime · (answer - start) + (end of the delegation - answer)) / (end of the delegation - start) < requirement; uptime is the median of the peers plus half a point, and start that of the validator",
        example:
          "20 days into its period a validator with requirement 0.8 has an uptime of 75 %, 75.5 % in the middle of the whole percent. 500 AVAX end in two days, 75 AVAX in 20 days: (0.755 · 20 + 2) / 22 is 0.777, (0.755 · 20 + 20) / 40 is 0.878.",
        result: 500,
      },
    ],
  },
  {
    ending: gauges(
      "avax_node_delegations_ending_avax",
      `Stake delegated to this node's validator by days left until the end of the delegation, at the time of the answer; absent when it is not a validator ${SOURCE} \`weight\`, \`endTime\`).`,
      ["remaining"],
      (data, { nodeId, time }) => {
        const own = ownOf(data, nodeId);
        if (own?.delegators === undefined) return [];
        const stakes = own.delegators.flatMap(({ endTime, weight }) =>
          endTime === undefined ? [] : [[endTime - time, toAvax(weight)] as const],
        );
        return byRange(END_BOUNDS, END_RANGES, stakes).map(([remaining, stake]) => [{ remaining }, stake]);
      },
    ),
    unrewarded: gauge(
      "avax_node_delegations_unrewarded_avax",
      `Stake of the delegations to this node's validator that end before its uptime can reach the requirement, even without further downtime: they will not be rewarded; absent while less than half of all stake reports the uptime ${SOURCE} \`weight\`, \`endTime\`; info.peers, \`observedUptime\`).`,
      unrewarded,
    ),
  },
  ({ unrewarded: lost }) => [
    {
      name: "AvaxDelegationsUnrewarded",
      severity: "warning",
      expr: `${lost} > 0`,
      labels: ["node", "network"],
      for: "15m",
      explainedBy: NODE_OUT,
      summary: '{{ $labels.node }}: {{ $value | printf "%.0f" }} AVAX of delegations end unrewarded',
      description:
        'For 15 minutes delegations of {{ $value | printf "%.0f" }} AVAX to {{ $labels.node }} have had an end at which its uptime will be below the requirement. Their reward is lost, even if it has no more downtime.',
      runbook: {
        meaning:
          "A delegation is judged at its own end, by the validator's uptime until then. The validator itself can still be rewarded at its later end.",
        confirm:
          "`avax_node_delegations_ending_avax` shows how much stake ends when, `avax_node_observed_uptime_median_ratio` the uptime.",
        commands: [
          {
            run: `call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<id-of-node>"]}'`,
            see: "`delegators` with the `endTime` and the owner of each, and `uptime` as this node observes it.",
          },
        ],
        action:
          "Tell the delegators, and find the cause of the downtime. Keep the node online: each hour saves delegations that end later.",
        falseWhen: "Validators with much stake observed more uptime than the median.",
      },
    },
  ],
);

type Given = Data<typeof needs>;

/** The node's own record, where the answer is about it alone. */
function ownOf({ own }: Given, nodeId: string | undefined) {
  return nodeId === undefined ? undefined : own.validators.find(({ nodeID }) => nodeID === nodeId);
}

function unrewarded(data: Given, context: Context): number | undefined {
  const { nodeId, times, time, subnets } = context;
  const own = ownOf(data, nodeId);
  const set = data.sets?.get(PRIMARY);
  if (own?.delegators === undefined || own.startTime === undefined || set === undefined) return undefined;
  if (data.peers === undefined || data.upgrades === undefined) return undefined;
  const observation = observationOf(data.peers, stakesOf(set), nodeId);
  const uptime = observation === undefined ? undefined : uptimeByPeers(observation);
  const requirement = requirementOf(own, PRIMARY, heliconOf(data.upgrades), subnets);
  if (uptime === undefined || requirement === undefined) return undefined;
  const period = { start: own.startTime, at: times["peers"] ?? time, uptime };
  const lost = own.delegators.filter(
    ({ endTime: end }) =>
      end !== undefined && end > period.at && (attainableUptime({ ...period, end }) ?? 1) < requirement,
  );
  return toAvax(lost.reduce((sum, { weight }) => sum + weight, 0n));
}
