import { OwnRecords } from "./poll-record.ts";
import { gauges } from "../catalogue/metric.ts";
import { topic } from "../catalogue/topic.ts";

export const auxiliaryNodes = topic(
  {
    id: "auxiliary-nodes",
    about: "Do the nodes of other shards answer that this one asks to compare its own with, and about networks?",
    scope: "node",
    auxiliary: true,
    needs: { record: OwnRecords },
  },
  {
    endpointUp: gauges(
      "avax_auxiliary_endpoint_up",
      "1 when the last poll of this endpoint of a node of another shard succeeded; such a node helps where this shard has fewer than three of a network or chain (the exporter's own record).",
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
      summary: "{{ $labels.node }}, which helps {{ $labels.instance }}, fails {{ $value }} of its endpoints",
      description:
        "For 15 minutes {{ $value }} endpoints of {{ $labels.node }}, a node of another shard, have failed for the exporter at {{ $labels.instance }}, which has too few nodes of its own to compare, or none to ask about the network.",
      runbook: {
        meaning:
          "This shard asks a node of another shard because it has fewer than three of the same network or chain. While that fails, lag and benching of its own nodes are judged by fewer others; on the first shard facts of the whole network may be missing.",
        confirm:
          "The status page of this shard lists its helpers with the last error in words. `avax_node_up` of the same node tells whether its own shard reaches it.",
        commands: [
          {
            run: `call <node> info.isBootstrapped '{"chain": "P"}'`,
            see: "From the machine of this shard: an answer means that the way is open, and true that the node can tell of its network.",
          },
        ],
        action:
          "Node down: as the runbook of AvaxNodeDown says. Only this shard fails: the way from its machine to the node. Another node helps when it stands before this one in the configuration.",
        falseWhen: "The node is not done bootstrapping: its P-Chain endpoints fail until it is.",
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
        why: "the helper answers",
      },
    },
  ],
);
