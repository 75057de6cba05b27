import { WatchedValidators, type Validator } from "../../api/node/platform.ts";
import { identity } from "../node/identity.ts";
import { gauges, type Context, type Metric } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { recording } from "../../catalogue/recording.ts";
import type { ValidatorSets } from "../stake.ts";

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
        for: "5m",
        summary: "{{ $labels.node_id }} is not connected to any of {{ $value }} polled nodes",
        description:
          "For 5 minutes {{ $labels.node_id }} ({{ $labels.subnet }}, {{ $labels.network }}) has not been connected to any of the {{ $value }} polled nodes that watch it. Its uptime falls.",
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
          at: "7m",
          labels: { network: "n", subnet: "primary", node_id: "NodeID-X" },
        },
        silent: {
          series: {
            'avax_validator_connected{node="a",network="n",subnet="primary",node_id="NodeID-X"}': "0x20",
            'avax_validator_connected{node="b",network="n",subnet="primary",node_id="NodeID-X"}': "1x20",
          },
          at: "7m",
          why: "one of two is connected to it",
        },
      },
    ];
  },
);

/** Aggregates over the observers of a validator, without the node that is the validator itself. */
function recordings(connected: Metric<never, (typeof LABELS)[number]>) {
  const others = `(${connected} unless on (instance, job, node, node_id) ${identity.metrics.node})`;
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
      about: "Nodes that watch a validator, the validator itself left out.",
      expr: `count without (node, instance, job) ${others}`,
      labels,
      proof: { series, at: "3m", samples: { [`{${validator}}`]: 2 } },
    }),
    connectedToAny: recording({
      name: "validator:avax_validator_connected:max",
      about: "1 while a node that watches a validator is connected to it, the validator itself left out.",
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
