import { EvmProof } from "../../api/node/evm-facts.ts";
import { chainLabel, chainRows } from "../labels.ts";
import { gauges } from "../define/metric.ts";
import { topic } from "../define/topic.ts";

export const evmProof = topic(
  {
    id: "evm-proof",
    about: "For which blocks does the node serve account proofs?",
    scope: "node",
    needs: { windows: EvmProof },
  },
  {
    served: gauges(
      "avax_evm_proof_served",
      "1 when eth_getProof succeeds 24 blocks before the head, within the 32 that the specification guarantees (`recent`), and at block 1 (`first`); absent where the probe is not configured (eth_getProof, `accountProof`).",
      ["chain", "block"],
      ({ windows }, context) =>
        [...windows].flatMap(([id, window]) =>
          (["recent", "first"] as const).map(
            (block) => [{ chain: chainLabel(context, id), block }, window[block]] as const,
          ),
        ),
    ),
    window: gauges(
      "avax_evm_proof_window_blocks",
      "Blocks before the head for which the node reports that it serves proofs; absent while it rejects no request (eth_getProof, `error`).",
      ["chain"],
      ({ windows }, context) => chainRows(windows, context, ({ window }) => window),
    ),
  },
);
