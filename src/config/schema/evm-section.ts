import { z } from "zod";
import type { EvmSettings } from "../../api/endpoint.ts";
import { camelKeys } from "./camel-keys.ts";
import { flag, integer } from "./fields.ts";

export function evmSection() {
  return z
    .strictObject({
      batch: integer("Calls in one batch, 1 to 1000; 1 asks them one by one.", 1, 1000).prefault(40),
      websocket: flag("Whether new heads are awaited on a WebSocket.").prefault(false),
      proof_probe: flag("Whether eth_getProof is probed for the proof window.").prefault(false),
      max_blocks_per_poll: integer("Blocks that one poll catches up at most, 1 to 1000.", 1, 1000).prefault(50),
      c_chain_id: integer("EVM chain ID that the C-Chain must have.", 1, Number.MAX_SAFE_INTEGER).optional(),
    })
    .describe("How EVM chains are asked.")
    .transform((value): EvmSettings => camelKeys(value));
}
