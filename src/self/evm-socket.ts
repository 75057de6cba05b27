import { OwnRecords } from "./poll-record.ts";
import { chainLabel } from "../topics/labels.ts";
import { gauges } from "../catalogue/metric.ts";
import { topic } from "../catalogue/topic.ts";

export const evmSocket = topic(
  {
    id: "evm-socket",
    about: "Does the node announce new EVM heads, or are they found by polling alone?",
    scope: "node",
    needs: { own: OwnRecords },
  },
  {
    up: gauges(
      "avax_evm_websocket_up",
      "1 while the node announces new heads on a WebSocket, 0 while it is being reconnected and polls go on without it; only where the configuration wants it (the exporter's own record).",
      ["chain"],
      ({ own }, context) => [...own.sockets].map(([id, up]) => [{ chain: chainLabel(context, id) }, up] as const),
    ),
  },
  ({ up }) => [
    {
      name: "AvaxEvmWebSocketDown",
      severity: "info",
      expr: `${up} == 0`,
      for: "15m",
      summary: "{{ $labels.node }} does not announce heads of {{ $labels.chain }}",
      description:
        "For 15 minutes the WebSocket to {{ $labels.node }} for {{ $labels.chain }} has not come back. Heads are still polled, so they are seen some seconds later.",
      runbook: {
        meaning:
          "The exporter cannot keep a subscription to new heads. Nothing is missing on `/metrics`; only the moment of a new block is known less exactly.",
        confirm:
          "The exporter's log at level debug says why; `/ext/bc/<chain>/ws` must be reachable, which some proxies need to be told.",
        commands: [
          {
            run: "call <node> eth_blockNumber --chain=<chain>",
            see: "Answers over HTTP: the way of the WebSocket alone is closed.",
          },
        ],
        action:
          "Allow WebSockets on the way to the node (ws-enabled in the chain's configuration, Upgrade headers in the proxy), or set `evm.websocket: false`.",
        falseWhen: "The node is down or bootstrapping, which has alerts of its own.",
      },
      fires: {
        series: { 'avax_evm_websocket_up{node="a",chain="C"}': "0x20" },
        at: "17m",
        labels: { node: "a", chain: "C" },
      },
      silent: {
        series: { 'avax_evm_websocket_up{node="a",chain="C"}': "1x5 0x10 1x10" },
        at: "17m",
        why: "it came back",
      },
    },
  ],
);
