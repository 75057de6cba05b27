import { EvmTrace } from "../../api/node/evm-facts.ts";
import { perChain } from "../labels.ts";
import { topic } from "../define/topic.ts";

export const evmTrace = topic(
  {
    id: "evm-trace",
    about: "Can anybody on the internet make the node execute old transactions?",
    scope: "node",
    needs: { traces: EvmTrace },
  },
  {
    open: perChain("traces", EvmTrace).gauge(
      "avax_evm_trace_open",
      "1 when a node at a public address serves traces of an EVM chain, as the C-Chain does by default since Helicon; 0 when it refuses them; absent at a private address (debug_traceTransaction, whether it is served; configuration, `nodes.url`).",
      ({ served }) => served,
    ),
  },
  ({ open }) => ({
    AvaxEvmTraceOpen: {
      severity: "info",
      when: { of: open, equals: 1 },
      labels: ["node", "network", "chain"],
      for: "15m",
      summary: "{{ $labels.node }} traces {{ $labels.chain }} for anybody",
      meaning:
        "A trace executes old transactions again. A few requests at a time keep the node from its own blocks: a validator loses uptime.",
      confirm: "`avax_evm_trace_open` of the node is 1: the exporter's request got further than to a refusal.",
      commands: {
        [`call <node> debug_traceTransaction '["0x${"0".repeat(64)}"]' --chain=<chain>`]:
          "`transaction not found`: the node serves the method. `does not exist/is not available`: it does not.",
      },
      action: "Close the API port for the internet, or let a proxy refuse `debug_`.",
      falsePositives: "The name in `url` resolves to a private address, or a firewall lets in the exporter alone.",
    },
  }),
);
