import { OwnRecords } from "../own-records.ts";
import { chainLabel } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { NODE_OUT, SAME_NODE } from "../define/causes.ts";

export const evmSocket = topic(
  {
    id: "evm-socket",
    about: "Does the node push new EVM heads on a WebSocket, or are they only polled?",
    scope: "node",
    needs: { own: OwnRecords },
  },
  {
    up: gauges(
      "avax_evm_websocket_up",
      "1 while the WebSocket for new heads is up, 0 while it reconnects and heads are only polled; absent where no WebSocket is configured, and until it was tried (the exporter's own record).",
      ["chain"],
      ({ own }, context) => [...own.sockets].map(([id, up]) => [{ chain: chainLabel(context, id) }, up] as const),
    ),
  },
  ({ up }) => ({
    AvaxEvmWebSocketDown: {
      severity: "info",
      when: { of: up, equals: 0 },
      labels: ["node", "network", "chain"],
      for: "15m",
      explainedBy: [
        ...NODE_OUT,
        {
          alert: "AvaxChainBootstrapping",
          equal: [...SAME_NODE, "chain"],
          why: "The chain serves no requests while it is bootstrapping.",
          outranked: "AvaxChainNotBootstrapped is a ticket after an hour.",
        },
      ],
      summary: "WebSocket to {{ $labels.node }} ({{ $labels.chain }}) is down",
      description: "Heads are polled instead.",
      meaning:
        "The exporter cannot keep a subscription to new heads. No metric is missing on `/metrics`; only the time of a new block is less exact.",
      confirm:
        "The exporter's log at level debug shows the reason. `/ext/bc/<chain>/ws` must be reachable; some proxies must be configured for WebSockets.",
      commands: { "call <node> eth_blockNumber --chain=<chain>": "Answers over HTTP: only the WebSocket is blocked." },
      action:
        "Allow WebSockets between exporter and node, or set `evm.websocket: false`. They need ws-enabled in the chain's configuration, and Upgrade headers in the proxy.",
      falsePositives: "The node is down or bootstrapping; other alerts report that.",
    },
  }),
);
