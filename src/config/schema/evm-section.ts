import { z } from "zod";
import type { EvmSettings } from "../../api/endpoint.ts";
import { camelKeys } from "./camel-keys.ts";
import { flag, integer } from "./fields.ts";

export function evmSection() {
  return z
    .strictObject({
      batch: integer("Calls in one batch, 1 to 1000; 1 sends them one by one.", 1, 1000).prefault(40),
      websocket: flag("Whether to subscribe to new heads on a WebSocket.").prefault(false),
      proof_probe: flag("Whether eth_getProof is probed for the proof window.").prefault(false),
      max_blocks_per_poll: integer("Maximum number of blocks that one poll catches up, 1 to 1000.", 1, 1000).prefault(
        50,
      ),
      c_chain_id: integer("Expected EVM chain ID of the C-Chain.", 1, Number.MAX_SAFE_INTEGER).optional(),
    })
    .describe("Polls of EVM chains.")
    .transform((value): EvmSettings => camelKeys(value));
}
