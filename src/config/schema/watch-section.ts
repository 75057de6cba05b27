import { z } from "zod";
import type { Wallet } from "../../api/endpoint.ts";
import type { Sha256 } from "../../api/wire.ts";
import { camelKeys } from "./camel-keys.ts";
import { address, integer, listOf, nodeId, setOf, text } from "./fields.ts";

const LOW_EXPECTED = "a number of coins such as 2.5, not below 0";

const watchedAddress = () =>
  z
    .strictObject({
      address: address("P-… (P-Chain), C-… (UTXOs waiting for import to C) or 0x… (EVM)."),
      name: text("Name of the wallet: the label `name`. Default: the address.").optional(),
      low: z
        .number({ error: LOW_EXPECTED })
        .min(0, { error: LOW_EXPECTED })
        .max(1e12, { error: LOW_EXPECTED })
        .optional()
        .describe("Low-balance threshold in AVAX, or in the chain's own coin."),
      chains: listOf("EVM chains to poll, by alias or ID; only for 0x…. Default: C.", text("Alias or ID of a chain.")),
    })
    .describe("A watched wallet.")
    .transform((value): Wallet => ({
      ...value,
      name: value.name ?? value.address,
      chains: value.address.startsWith("0x") && value.chains.length === 0 ? ["C"] : value.chains,
    }));

export function watchSection(sha256: Sha256) {
  return z
    .strictObject({
      validators: setOf("Node IDs watched in detail, beside the polled nodes' own.", nodeId("Node ID.", sha256)),
      validators_by_network: z
        .record(z.string(), z.array(nodeId("Node ID.", sha256)))
        .nullish()
        .describe("The same for one network alone, by the network's label.")
        .transform((value) => value ?? {}),
      observers: integer(
        "Number of polled nodes that observe each polled validator, itself included, 1 to 100.",
        1,
        100,
      ).prefault(5),
      addresses: listOf("Wallets whose balances and waiting UTXOs are watched.", watchedAddress()),
    })
    .describe("Validators and wallets to watch in detail.")
    .transform(camelKeys);
}

export type WatchSection = z.output<ReturnType<typeof watchSection>>;
