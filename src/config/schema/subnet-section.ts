import { z } from "zod";
import { camelKeys, flag, integer, listOf, number, text } from "./fields.ts";
import { id } from "./identifier-fields.ts";

const chain = z
  .strictObject({
    id: id("Blockchain ID.", "a blockchain ID"),
    name: text("Alias of the chain: the label `chain`. Default: the blockchain ID.").optional(),
    evm: flag("Whether the chain is polled as an EVM chain.").prefault(true),
    evm_chain_id: integer("Expected EVM chain ID.", 1, Number.MAX_SAFE_INTEGER).optional(),
  })
  .describe("A chain of the subnet.")
  .transform(camelKeys);

/** One entry of `subnets`. */
export const subnetSection = z
  .strictObject({
    id: id("Subnet ID.", "a subnet ID"),
    name: text("Name of the subnet, for references and pages. Default: the subnet ID.").optional(),
    network: text("Network of the subnet. Default: any.").optional(),
    uptime_requirement: number(
      "Required uptime of the validators of an elastic subnet, 0 to 1.",
      1,
      "a number from 0 to 1, such as 0.8 for 80 %",
    ).optional(),
    chains: listOf("Chains of the subnet.", chain),
  })
  .describe("A subnet or L1.")
  .transform((value) => ({ ...camelKeys(value), name: value.name ?? value.id }));

export type SubnetSection = z.output<typeof subnetSection>;
