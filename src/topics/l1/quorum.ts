import { Peers, type Peer } from "../../api/node/info.ts";
import { PRIMARY, Validators, type Validator } from "../../api/node/platform.ts";
import { gauges, type Context } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { exampleL1, examplePeers } from "../examples.ts";
import { share, type ValidatorSets } from "../stake.ts";

/** Below this share of connected weight a subnet can stop making blocks and signing messages. */
export const QUORUM_RATIO = 0.67;

/** Fields of a peer in the examples. */
export const TRACKS_S = { trackedSubnets: ["S"] };

export const quorum = topic(
  {
    id: "quorum",
    about: "Is enough weight of each configured subnet connected to make blocks?",
    scope: "network",
    needs: { sets: Validators, peers: Peers },
    formulas: [
      {
        metric: "avax_subnet_connected_weight_ratio",
        formula: "weight of the validators that are active and connected / weight of all, inactive ones included",
        example: "Weights 100 and 200 connected, 10 and 50 without balance: 300 / 360.",
        result: 0.833333333333,
        given: () => ({
          data: {
            sets: exampleL1(["own", 100n, 1], ["other", 200n, 1], ["empty", 10n, 0], ["drained", 50n, 0]),
            peers: examplePeers({ other: TRACKS_S, empty: TRACKS_S, drained: TRACKS_S }),
          },
          context: { nodeId: "own" },
          labels: { subnet: "S" },
        }),
      },
    ],
  },
  {
    connected: gauges(
      "avax_subnet_connected_weight_ratio",
      "Share of a configured subnet's weight that is active and connected to the network's reference node; weight without balance stays in the total and is never connected (platform.getCurrentValidators, `weight`, `balance`; info.peers, `nodeID`, `trackedSubnets`).",
      ["subnet"],
      ({ sets, peers }, context) =>
        shares(sets, (subnet) => {
          const connected = connectedTo(peers, context, subnet);
          return (each) => isActive(each) && connected.has(each.nodeID);
        }),
    ),
    active: gauges(
      "avax_subnet_active_weight_ratio",
      "Share of a configured subnet's weight that is active, which in an L1 means that it has a balance left (platform.getCurrentValidators, `weight`, `balance`).",
      ["subnet"],
      ({ sets }) => shares(sets, () => isActive),
    ),
  },
  ({ connected }) => [
    {
      name: "AvaxSubnetQuorumLost",
      severity: "critical",
      expr: `100 * (${connected} < on (job, instance, network, subnet) ${requirement}) unless on (job, instance, network) ${referenceCutOff}`,
      for: "5m",
      keepFiringFor: "12m",
      loses: "The chains of the subnet accept no blocks until enough weight is back.",
      summary: `${SUBNET}: quorum lost, only {{ $value | printf "%.1f" }} % of the weight is connected`,
      description: `For 5 minutes only {{ $value | printf "%.1f" }} % of the validators' weight of ${SUBNET} ({{ $labels.network }}) has been active and connected to the network's reference node. Its consensus needs ${DEFAULT_QUORUM_RATIO * 100} % unless its configuration says otherwise. Polled nodes that are down:{{ range printf "avax_node_up{network=%q} == 0" $labels.network | query | sortByLabel "node" }} {{ .Labels.node }}{{ end }}.`,
      runbook: {
        meaning: `Consensus needs ${DEFAULT_QUORUM_RATIO * 100} % of the weight by default; \`avax_subnet_quorum_requirement_ratio\` is the share that the nodes' health checks state. With less, the chains stand still. Signatures of messages to other chains need ${SIGNATURE_RATIO * 100} %. Offline validators and those without balance do not vote, and their weight stays in the total.`,
        confirm:
          "If `avax_subnet_active_weight_ratio` is as low, balances ran out (`avax_l1_validator_active`). If not, validators are offline. `avax_chain_connected_stake_ratio` of the subnet's chains shows the view of its own nodes.",
        commands: [
          {
            run: `call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`,
            see: "`weight` and `connected` of each validator. An L1 also has `balance`: 0 means inactive. Of the Primary Network leave the parameter out.",
          },
          {
            run: "call <any-node> /ext/health",
            see: "The check of each chain of the subnet shows the share of stake that this node is connected to, and the share that it requires.",
          },
        ],
        action:
          "Bring back the validators that are offline, the heaviest first (`avax_l1_validator_weight`). Top up the balances of inactive validators, or remove their weight.",
        falseWhen:
          "The network's reference node (`avax_network_reference_node`) is connected to less than the other nodes.",
      },
      fires: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.75x20",
          'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}': "0.8x20",
        },
        at: "7m",
        labels: { network: "n", subnet: "S" },
      },
      silent: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.8x20",
          'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}': "0.8x20",
          'avax_subnet_connected_weight_ratio{network="m",subnet="primary"}': "0.2x20",
          'avax_subnet_quorum_requirement_ratio{network="m",subnet="primary"}': "0.8x20",
          'avax_chain_connected_stake_ratio{network="m",node="a",chain="P"}': "0.2x20",
          'avax_network_reference_node{network="m",node="a"}': "1x20",
        },
        at: "7m",
        why: "80 % is enough, and the reference node of the other network is cut off",
      },
    },
    {
      name: "AvaxSubnetQuorumAtRisk",
      severity: "warning",
      expr: `100 * (${connected} < 1 and on (job, instance, network, subnet) ${spare} == 0)`,
      for: "30m",
      explainedBy: [
        {
          alert: "AvaxSubnetQuorumLost",
          equal: ["job", "instance", "network", "subnet"],
          why: "The quorum is lost already.",
        },
      ],
      summary: `${SUBNET}: the next validator that fails costs the quorum`,
      description: `For 30 minutes {{ $value | printf "%.1f" }} % of the validators' weight of ${SUBNET} ({{ $labels.network }}) has been active and connected. If its heaviest connected validator fails too, its chains stand still.`,
      runbook: {
        meaning: "A validator is offline or inactive, and the rest has no reserve.",
        confirm:
          "`avax_subnet_quorum_spare_validators` is 0: the number of validators, the heaviest first, that can fail without the loss of the quorum.",
        commands: [
          {
            run: `call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`,
            see: "`weight` and `connected` of each validator; of an L1 also `balance`.",
          },
        ],
        action:
          "Bring back the validators that are offline, or top up those without balance. Restart no other validator until then.",
        falseWhen: "One validator has so much weight that the subnet never has a reserve.",
      },
      fires: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.8x40",
          'avax_subnet_quorum_spare_validators{network="n",subnet="S"}': "0x40",
        },
        at: "35m",
        labels: { network: "n", subnet: "S" },
      },
      silent: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "1x40",
          'avax_subnet_quorum_spare_validators{network="n",subnet="S"}': "0x40",
        },
        at: "35m",
        why: "all validators are connected: a small subnet has no reserve even then",
      },
    },
    {
      name: "AvaxSubnetSignaturesAtRisk",
      severity: "warning",
      expr: `100 * (${connected} < ${SIGNATURE_RATIO}) unless on (job, instance, network, subnet) ${connected} < on (job, instance, network, subnet) ${requirement}`,
      for: "15m",
      explainedBy: [
        {
          alert: "AvaxSubnetQuorumLost",
          equal: ["job", "instance", "network", "subnet"],
          why: "With the quorum the signatures are lost, too.",
        },
      ],
      summary: `${SUBNET}: only {{ $value | printf "%.1f" }} % of the weight can sign messages`,
      description: `For 15 minutes only {{ $value | printf "%.1f" }} % of the validators' weight of ${SUBNET} ({{ $labels.network }}) has been active and connected. Messages to other chains need the signatures of ${SIGNATURE_RATIO * 100} %.`,
      runbook: {
        meaning:
          "The subnet requires less for consensus than for signatures: its chains go on, but messages to other chains are not signed.",
        confirm: "`avax_subnet_connected_weight_ratio` and `avax_subnet_quorum_requirement_ratio` of the subnet.",
        commands: [
          {
            run: `call <any-node> platform.getCurrentValidators '{"subnetID": "<subnet>"}'`,
            see: "`weight` and `connected` of each validator; of an L1 also `balance`.",
          },
        ],
        action: "Bring back the validators that are offline, the heaviest first, or top up those without balance.",
        falseWhen: "The subnet sends no messages to other chains.",
      },
      fires: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.6x30",
          'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}': "0.51x30",
        },
        at: "17m",
        labels: { network: "n", subnet: "S" },
      },
      silent: {
        series: {
          'avax_subnet_connected_weight_ratio{network="n",subnet="S"}': "0.6x30",
          'avax_subnet_quorum_requirement_ratio{network="n",subnet="S"}': "0.8x30",
        },
        at: "17m",
        why: "the quorum is lost: AvaxSubnetQuorumLost fires",
      },
    },
  ],
);

/** A member of an L1 is active while it has a balance; a staker of a subnet is always active. */
export function isActive({ validationID, balance }: Validator): boolean {
  return validationID === undefined || balance === undefined || balance > 0;
}

/** IDs of the nodes that the reference node is connected to and that track the subnet, and its own ID. */
export function connectedTo(
  { peers }: { readonly peers: readonly Peer[] },
  { nodeId }: Context,
  subnet: string,
): ReadonlySet<string> {
  const ids = new Set(nodeId === undefined ? [] : [nodeId]);
  for (const { nodeID, trackedSubnets } of peers) if (trackedSubnets.includes(subnet)) ids.add(nodeID);
  return ids;
}

/** The share of each configured subnet's weight for which `countsIn` holds. */
function shares(sets: ValidatorSets, countsIn: (subnet: string) => (validator: Validator) => boolean) {
  return [...sets]
    .filter(([subnet]) => subnet !== PRIMARY)
    .map(([subnet, { validators }]) => {
      const counts = countsIn(subnet);
      let [part, total] = [0n, 0n];
      for (const each of validators) {
        total += each.weight;
        if (counts(each)) part += each.weight;
      }
      return [{ subnet }, share(part, total)] as const;
    });
}
