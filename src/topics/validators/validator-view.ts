import { WatchedValidators, type Validator } from "../../api/node/platform.ts";
import { chains, CUT_OFF_RATIO } from "../chains/chains.ts";
import { identity } from "../node/identity.ts";
import { gauges, type Context, type Metric } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { recording } from "../../catalogue/recording.ts";
import { where } from "../../catalogue/selector.ts";
import type { ValidatorSets } from "../stake.ts";
import {
  CUT_OFF,
  DISK_FULL,
  LEFT_BEHIND,
  NETWORK_HALTED,
  SAME_VALIDATOR_NODE,
  VALIDATOR_AWAY,
} from "../../catalogue/causes.ts";
import { SUBNET } from "../../catalogue/alert-texts.ts";

const LABELS = ["subnet", "node_id"] as const;
const VIEW = "as observed by this node; its value for itself is not an observation";

export const validatorView = topic(
  {
    id: "validator-view",
    about: "What uptime and connection does each polled node observe of the watched validators?",
    scope: "observer",
    needs: { answers: WatchedValidators },
  },
  {
    uptime: gauges(
      "avax_validator_uptime_ratio",
      `Uptime of a watched validator since its stake began, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`uptime\`).`,
      LABELS,
      ({ answers }, context) => rows(answers, context, ({ uptime }) => uptime),
    ),
    connected: gauges(
      "avax_validator_connected",
      `1 while a watched validator is connected, ${VIEW} (platform.getCurrentValidators with nodeIDs, \`connected\`).`,
      LABELS,
      ({ answers }, context) => rows(answers, context, ({ connected }) => connected),
    ),
  },
  ({ connected }) => {
    const { observers, connectedToAny } = recordings(connected);
    return [
      {
        name: "AvaxValidatorDisconnected",
        severity: "critical",
        expr: `${observers} unless ${connectedToAny} == 1`,
        records: [observers, connectedToAny],
        for: "10m",
        keepFiringFor: "4m",
        explainedBy: [
          ...VALIDATOR_AWAY,
          { ...CUT_OFF, equal: SAME_VALIDATOR_NODE },
          { ...LEFT_BEHIND, equal: SAME_VALIDATOR_NODE },
          { ...DISK_FULL, equal: SAME_VALIDATOR_NODE },
          {
            ...NETWORK_HALTED,
            only: { node: "!=" },
            why: "The Primary Network has lost its quorum: that page names the nodes that are down.",
          },
        ],
        loses: "The other validators count it as offline: its downtime budget is used up.",
        summary: "{{ or $labels.name $labels.node_id }} is not connected to any of {{ $value }} polled nodes",
        description: `For 10 minutes {{ or $labels.name $labels.node_id }} (${SUBNET}, {{ $labels.network }}) has not been connected to any of the {{ $value }} polled nodes that watch it. Its uptime falls.`,
        runbook: {
          meaning:
            "Every polled node that watches this validator reports it as not connected. The other validators most likely observe the same, and its uptime decays.",
          confirm: "`avax_validator_connected` per node; the validator's own health and peers if it is polled too.",
          commands: [
            {
              run: `call <any-node> platform.getCurrentValidators '{"nodeIDs": ["<node_id>"]}'`,
              see: "`connected` is false, and `uptime` falls between two calls. Query several nodes: each reports its own observation.",
            },
          ],
          action:
            "Bring the validator back online: check its process, machine, firewall of TCP port 9651 and public IP.",
          falseWhen: "All watching nodes share a network problem: `avax_chain_connected_stake_ratio` is low on them.",
        },
        fires: {
          series: {
            'avax_validator_connected{node="a",network="n",subnet="primary",node_id="NodeID-X"}': "0x20",
            'avax_validator_connected{node="b",network="n",subnet="primary",node_id="NodeID-X"}': "0x20",
            'avax_validator_connected{node="x",network="n",subnet="primary",node_id="NodeID-X"}': "1x20",
            'avax_node_info{node="x",network="n",node_id="NodeID-X"}': "1x20",
          },
          at: "12m",
          labels: { network: "n", subnet: "primary", node_id: "NodeID-X" },
        },
        silent: {
          series: {
            'avax_validator_connected{node="a",network="n",subnet="primary",node_id="NodeID-X"}': "0x20",
            'avax_validator_connected{node="b",network="n",subnet="primary",node_id="NodeID-X"}': "1x20",
          },
          at: "12m",
          why: "one of two is connected to it",
        },
      },
    ];
  },
);

/** Aggregates over the observers of a validator, without the node that is the validator itself. */
function recordings(connected: Metric<never, (typeof LABELS)[number]>) {
  // A node that is cut off sees all others as disconnected.
  const cutOff = `${where(chains.metrics.connected, { chain: "P" })} < ${CUT_OFF_RATIO}`;
  const others = `(${connected} unless on (instance, job, node, node_id) ${identity.metrics.node} unless on (instance, job, node) ${cutOff})`;
  const labels = ["network", ...LABELS] as const;
  const validator = 'network="n",subnet="primary",node_id="NodeID-X"';
  const series = {
    [`avax_validator_connected{node="a",${validator}}`]: "0x5",
    [`avax_validator_connected{node="b",${validator}}`]: "0x5",
    [`avax_validator_connected{node="x",${validator}}`]: "1x5",
    'avax_node_info{node="x",network="n",node_id="NodeID-X"}': "1x5",
  };
  return {
    observers: recording({
      name: "validator:avax_validator_connected:count",
      about: "Nodes that watch a validator, the validator itself and nodes that are cut off left out.",
      expr: `count without (node, instance, job) ${others}`,
      labels,
      proof: { series, at: "3m", samples: { [`{${validator}}`]: 2 } },
    }),
    connectedToAny: recording({
      name: "validator:avax_validator_connected:max",
      about:
        "1 while a node that watches a validator is connected to it, the validator itself and nodes that are cut off left out.",
      expr: `max without (node, instance, job) ${others}`,
      labels,
      proof: { series, at: "3m", samples: { [`{${validator}}`]: 0 } },
    }),
  };
}

/** Only watched validators: a server can ignore `nodeIDs`, and the watch list can have changed since the answer. */
function rows<V>(answers: ValidatorSets, { watch }: Context, read: (validator: Validator) => V) {
  const watched = new Set(watch);
  return [...answers].flatMap(([subnet, { validators }]) =>
    validators
      .filter(({ nodeID, validationID }) => validationID === undefined && watched.has(nodeID))
      .map((each) => [{ subnet, node_id: each.nodeID }, read(each)] as const),
  );
}
