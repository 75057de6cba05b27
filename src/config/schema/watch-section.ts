import { z } from "zod";
import type { Wallet } from "../../api/endpoint.ts";
import { camelKeys, eachOnce, integer, listOf, mapOf, number, text } from "./fields.ts";
import { address, nodeId, platformAddress } from "./identifier-fields.ts";

const watchedAddress = z
  .strictObject({
    address: address("P-… (P-Chain), C-… (UTXOs waiting for import to C) or 0x… (EVM)."),
    name: text("Name of the wallet: the label `wallet`. Default: the address.").optional(),
    low: number(
      "Low-balance threshold in AVAX, or in the chain's own coin.",
      1e12,
      "a number of coins such as 2.5, not below 0",
    ).optional(),
    chains: listOf("EVM chains to poll, by alias or ID; only for 0x…. Default: C.", text("Alias or ID of a chain.")),
  })
  .describe("A watched wallet.")
  .transform((value): Wallet => ({
    ...value,
    name: value.name ?? value.address,
    chains: value.address.startsWith("0x") && value.chains.length === 0 ? ["C"] : value.chains,
  }));

/** An entry of the watch list. `nodeId` alone is the short form. */
type Entry = {
  readonly nodeId: string;
  readonly name?: string | undefined;
  readonly rewardAddresses: readonly string[];
};

const watchedValidator = z
  .union(
    [
      nodeId("Node ID."),
      z
        .strictObject({
          node_id: nodeId("Node ID."),
          name: text(
            "Name of the validator: the label `name` of avax_validator_info. Default: name of the polled node.",
          ).optional(),
          reward_addresses: listOf(
            "Allowed addresses of its validation reward. Another one raises an alert. Default: not checked.",
            platformAddress("P-Chain address, P-…."),
          ),
        })
        .describe("A validator with its name and reward addresses.")
        .transform(camelKeys),
    ],
    { error: "a node ID or a mapping with node_id" },
  )
  .transform((value): Entry => (typeof value === "string" ? { nodeId: value, rewardAddresses: [] } : value));

const idsOf = (entries: readonly Entry[]): string[] => eachOnce(entries.map(({ nodeId: id }) => id));

/** Names and reward addresses by validator. Entries of one node ID are joined. */
function detailsOf(entries: readonly Entry[]): Entry[] {
  const detailed = entries.filter(({ name, rewardAddresses }) => name !== undefined || rewardAddresses.length > 0);
  return [...Map.groupBy(detailed, ({ nodeId: id }) => id)].map(([id, group]) => ({
    nodeId: id,
    name: group.find(({ name }) => name !== undefined)?.name,
    rewardAddresses: eachOnce(group.flatMap(({ rewardAddresses }) => rewardAddresses)),
  }));
}

export const watchSection = z
  .strictObject({
    validators: listOf(
      "Validators watched in detail, besides those of the polled nodes: node IDs, or mappings with node_id.",
      watchedValidator,
    ),
    validators_by_network: mapOf("The same for one network alone, by the network's label.", z.array(watchedValidator)),
    observers: integer(
      "Number of polled nodes that observe each polled validator, itself included, 1 to 100.",
      1,
      100,
    ).prefault(5),
    addresses: listOf("Wallets whose balances and waiting UTXOs are watched.", watchedAddress),
  })
  .describe("Validators and wallets to watch in detail.")
  .transform(({ validators, validators_by_network: byNetwork, ...rest }) => ({
    ...rest,
    validators: idsOf(validators),
    validatorsByNetwork: Object.fromEntries(
      Object.entries(byNetwork).map(([network, entries]) => [network, idsOf(entries)]),
    ),
    validatorDetails: detailsOf([...validators, ...Object.values(byNetwork).flat()]),
  }));

export type WatchSection = z.output<typeof watchSection>;
