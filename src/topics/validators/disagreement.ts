import { PRIMARY, WatchedValidators } from "../../api/node/platform.ts";
import { gauges } from "../../catalogue/metric.ts";
import type { ComparedData } from "../../catalogue/needs.ts";
import { comparingTopic } from "../../catalogue/topic.ts";
import { inSteps, type Work } from "../../runtime/work.ts";
import { exampleAnswers, exampleSet } from "../examples.ts";

/** Uptimes that differ by more than this share of a staking period cannot all be right about a reward. */
export const DISAGREEMENT_RATIO = 0.1;

const needs = { answers: WatchedValidators };
const SOURCE = "(platform.getCurrentValidators with nodeIDs,";
const OTHERS = "from several polled nodes, its own view left out";

/** Observations of one Primary Network validator by the polled nodes. */
type Views = { readonly uptimes: readonly number[]; readonly connected: readonly boolean[] };
/** By node ID. */
type State = ReadonlyMap<string, Views>;

export const disagreement = comparingTopic(
  {
    id: "disagreement",
    about: "Do the polled nodes see the same of each watched validator?",
    needs,
    start: (): State => new Map(),
    compare: (_state: State, data: ComparedData<typeof needs>) => viewsOf(data),
    formulas: [
      {
        metric: "avax_validator_uptime_disagreement_ratio",
        formula: "largest uptime - smallest uptime",
        example: "Three nodes see 0.9987, 0.9991 and 0.4512.",
        result: 0.5479,
        given: () => ({
          data: {
            members: [0.9987, 0.9991, 0.4512].map((uptime, index) => ({
              facts: { node: `n${index}`, nodeId: `n${index}` },
              answers: { answers: exampleAnswers(exampleSet({ a: 2_000_000n }, { uptime })) },
            })),
          },
          context: { networkLabel: "n" },
          labels: { node_id: "a" },
        }),
      },
    ],
  },
  {
    uptime: gauges(
      "avax_validator_uptime_disagreement_ratio",
      `Largest less smallest uptime of the same validator as seen ${OTHERS}; absent with fewer than two views ${SOURCE} \`uptime\`).`,
      ["node_id"],
      ({ state }) => rows(state, ({ uptimes }) => spreadOf(uptimes)),
    ),
    connected: gauges(
      "avax_validator_connected_disagreement",
      `1 while some see the same validator connected and others do not, ${OTHERS}; absent with fewer than two views ${SOURCE} \`connected\`).`,
      ["node_id"],
      ({ state }) =>
        rows(state, ({ connected }) =>
          connected.length < 2 ? undefined : connected.includes(true) && connected.includes(false),
        ),
    ),
    views: gauges(
      "avax_validator_observers",
      `Polled nodes that see the uptime of a watched validator, itself left out ${SOURCE} \`uptime\`).`,
      ["node_id"],
      ({ state }) => rows(state, ({ uptimes }) => uptimes.length),
    ),
  },
  ({ uptime }) => [
    {
      name: "AvaxValidatorViewsDisagree",
      severity: "warning",
      expr: `${uptime} > ${DISAGREEMENT_RATIO}`,
      for: "15m",
      summary: "Nodes differ by {{ $value | humanizePercentage }} about the uptime of {{ $labels.node_id }}",
      description:
        "For 15 minutes polled nodes of {{ $labels.network }} have differed by {{ $value | humanizePercentage }} about the uptime of {{ $labels.node_id }}.",
      runbook: {
        meaning:
          "Validators vote about the reward by what they saw themselves. Either one of the polled nodes sees badly, or the validator is reachable for a part of the network only.",
        confirm:
          "`avax_validator_uptime_ratio` and `avax_validator_connected` of this node ID, by node; `avax_chain_connected_stake_ratio` of the node that sees least.",
        commands: [
          {
            run: `call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`,
            see: "`uptime` and `connected` as this node sees them. Ask each polled node: who differs from all others has a problem of its own.",
          },
        ],
        action:
          "One node sees all validators badly: repair that node's network. One validator is seen badly by some: its public IP, firewall and inbound connections (`avax_node_ingress_connections`).",
        falseWhen:
          "A node that was offline credits everyone with full uptime for that time, so it keeps seeing more than the others until the period ends; or the period has just begun.",
      },
      fires: {
        series: { 'avax_validator_uptime_disagreement_ratio{network="n",node_id="NodeID-A"}': "0.3x30" },
        at: "20m",
        labels: { network: "n", node_id: "NodeID-A" },
      },
      silent: {
        series: { 'avax_validator_uptime_disagreement_ratio{network="n",node_id="NodeID-A"}': "0.002x30" },
        at: "20m",
        why: "they differ by the second in which they were asked",
      },
    },
  ],
);

function* viewsOf({ members }: ComparedData<typeof needs>): Work<State> {
  const views = new Map<string, { uptimes: number[]; connected: boolean[] }>();
  for (const { facts, answers } of members) {
    // Without the node's ID its own record cannot be left out.
    if (facts.nodeId === undefined) continue;
    yield* inSteps(answers.answers?.get(PRIMARY)?.value.validators ?? [], ({ nodeID, uptime, connected }) => {
      if (nodeID === facts.nodeId) return;
      const view = views.get(nodeID) ?? { uptimes: [], connected: [] };
      views.set(nodeID, view);
      if (uptime !== undefined) view.uptimes.push(uptime);
      if (connected !== undefined) view.connected.push(connected);
    });
    // Many nodes with few validators each are as much work as one node with many.
    yield;
  }
  return views;
}

/** Largest less smallest, 0 to 1; `undefined` with fewer than two. */
function spreadOf(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return Number((most - least).toFixed(12));
}

function rows<V>(state: State, read: (views: Views) => V) {
  return [...state].map(([nodeId, views]) => [{ node_id: nodeId }, read(views)] as const);
}
