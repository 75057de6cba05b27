import { z } from "zod";
import type { Sha256 } from "../../api/wire.ts";
import { camelKeys } from "./camel-keys.ts";
import { flag, id, integer, listOf, ratio, text } from "./fields.ts";

/** One entry of `subnets`. */
export function subnetSection(sha256: Sha256) {
  const chain = z
    .strictObject({
      id: id("Blockchain ID.", "blockchain ID", sha256),
      name: text("Alias of the chain: the label `chain`. Default: the blockchain ID.").optional(),
      evm: flag("Whether the chain is asked as an EVM chain.").prefault(true),
      evm_chain_id: integer("EVM chain ID that it must have.", 1, Number.MAX_SAFE_INTEGER).optional(),
    })
    .describe("A chain of the subnet.")
    .transform(camelKeys);
  return z
    .strictObject({
      id: id("Subnet ID.", "subnet ID", sha256),
      name: text("Name of the subnet, for references and pages. Default: the subnet ID.").optional(),
      network: text("Network of the subnet. Default: it may be on any.").optional(),
      uptime_requirement: ratio("Uptime that validators of an elastic subnet need, 0 to 1.").optional(),
      chains: listOf("Chains of the subnet.", chain),
    })
    .describe("A subnet or L1.")
    .transform((value) => ({ ...camelKeys(value), name: value.name ?? value.id }));
}

export type SubnetSection = z.output<ReturnType<typeof subnetSection>>;
