import { OwnRecords } from "./poll-record.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const auxiliaryNodes = topic(
  {
    id: "auxiliary-nodes",
    about: "Do the nodes of other shards answer that this shard polls?",
    scope: "node",
    auxiliary: true,
    needs: { record: OwnRecords },
  },
  {
    endpointUp: gauges(
      "avax_auxiliary_endpoint_up",
      "1 when the last poll of this endpoint of an auxiliary node succeeded: a node of another shard, polled where this shard has fewer than three nodes of a network or chain (the exporter's own record).",
      ["api_endpoint"],
      ({ record }) => record.endpoints.map(({ id, up }) => [{ api_endpoint: id }, up]),
    ),
  },
  ({ endpointUp }) => [
    {
      name: "AvaxAuxiliaryNodeFailing",
      severity: "warning",
      expr: `count without (api_endpoint) (${endpointUp} == 0)`,
      for: "15m",
      foreignNode: true,
      explainedBy: [
        {
          alert: "AvaxNodeDown",
          equal: ["job", "node"],
          why: "The node is down and cannot serve as an auxiliary node.",
        },
        {
          alert: "AvaxApiNodeDown",
          equal: ["job", "node"],
          why: "The node is down and cannot serve as an auxiliary node.",
        },
      ],
      summary: "{{ $labels.node }} (auxiliary node of {{ $labels.instance }}): {{ $value }} endpoints fail",
      description:
        "For 15 minutes {{ $value }} endpoints of {{ $labels.node }}, a node of another shard, have failed for the exporter at {{ $labels.instance }}. This shard has too few nodes of its own to compare, or no usable node for the network.",
      runbook: {
        meaning:
          "This shard polls a node of another shard because it has fewer than three nodes of the same network or chain. While that fails, lag and benching of its own nodes are judged by fewer nodes. On the first shard, facts of the whole network can be missing.",
        confirm:
          "The status page of this shard lists its auxiliary nodes with their last error. `avax_node_up` of the same node shows whether its own shard reaches it.",
        commands: [
          {
            run: `call <node> info.isBootstrapped '{"chain": "P"}'`,
            see: "Run it on the machine of this shard. An answer means that the network path is open; `true`, that the node can report on its network.",
          },
        ],
        action:
          "Node down: follow the runbook of AvaxNodeDown. Only this shard fails: fix the network path from its machine to the node. To use another auxiliary node, list it before this one in the configuration.",
        falseWhen: "The node is still bootstrapping: its P-Chain endpoints fail until it is done.",
      },
      fires: {
        series: {
          'avax_auxiliary_endpoint_up{instance="x",node="a",api_endpoint="health"}': "0x30",
          'avax_auxiliary_endpoint_up{instance="x",node="a",api_endpoint="evm.head"}': "1x30",
        },
        at: "17m",
        labels: { instance: "x", node: "a" },
      },
      silent: {
        series: { 'avax_auxiliary_endpoint_up{instance="x",node="a",api_endpoint="health"}': "1x30" },
        at: "17m",
        why: "the auxiliary node answers",
      },
    },
  ],
);
