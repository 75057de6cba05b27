import { z } from "zod";
import { INTERVALS, NOTHING_WANTED, type HostedSubjects } from "../../api/hosted/hosted-endpoint.ts";
import { exactlyOne, HEADER_NAME } from "./auth-fields.ts";
import {
  always,
  baseUrl,
  camelKeys,
  choice,
  file,
  given,
  integer,
  listOf,
  listOrNone,
  matching,
  proxyFields,
  secret,
  section,
  setOf,
} from "./fields.ts";
import { bech32Address, hexAddress, id, nodeId } from "./identifier-fields.ts";

const blockchainId = id("Blockchain ID.", "a blockchain ID");

const chainId = (description: string) =>
  z
    .union([matching("EVM chain ID.", /^\d{1,20}$/, "an EVM chain ID"), blockchainId], {
      error: 'an EVM chain ID in quotes, such as "43114", or a blockchain ID',
    })
    .describe(description);

const onChain = (description: string, what: string) =>
  z.strictObject({ chain: chainId("EVM chain ID or blockchain ID."), address: hexAddress(what) }).describe(description);

const CHAIN_WORDS = ["p-chain", "x-chain", "c-chain"] as const;
const chainsOf = (what: string) =>
  setOf(
    `Chains of the Primary Network whose ${what} are requested. Default: p-chain.`,
    z
      .union([choice("Chain.", CHAIN_WORDS), blockchainId], { error: `${CHAIN_WORDS.join(", ")} or a blockchain ID` })
      .describe("Chain, or its blockchain ID."),
    ["p-chain"],
  );

const CURRENCIES = [
  ...(["usd", "eur", "aud", "cad", "chf", "clp", "cny", "czk", "dkk", "gbp", "hkd", "huf", "jpy", "nzd"] as const),
] as const;

/** Compute units that the public services allow without a key. */
export const PUBLIC_BUDGET = { perMinute: 6000, perDay: 1_200_000 } as const;

const budget = section(
  z
    .strictObject({
      per_minute: integer("Units allowed in any minute, at least 200.", 200, 10_000_000).prefault(
        PUBLIC_BUDGET.perMinute,
      ),
      per_day: integer("Units allowed in any day, at least 2000.", 2000, 10_000_000_000).prefault(PUBLIC_BUDGET.perDay),
    })
    .transform(camelKeys),
).describe("Limits in compute units, in which the service counts requests.");

const connectionFields = (url: string) => ({
  url: baseUrl("Base URL of the service; /v1 at its end is left out.")
    .prefault(url)
    .transform((base) => base.replace(/\/v[12]$/, "")),
  key: secret("API key; `${NAME}` takes it from the environment.", { header: true }).optional(),
  key_file: file("File that holds the API key.", "secret", { header: true }).optional(),
  key_header: z
    .string()
    .regex(HEADER_NAME, { error: "a header name: letters, digits and dashes only" })
    .transform((name) => name.toLowerCase())
    .optional()
    .describe("Header of the key. Default: x-glacier-api-key, as of the public service, and x-service-api-key."),
  ...proxyFields,
  max_pages: integer("Maximum number of pages read of one listing, 1 to 1000.", 1, 1000).prefault(10),
  budget,
});

const oneKey = (value: unknown, context: z.RefinementCtx): void => exactlyOne(value, context, "key", "key_file", false);

export const DATA_API_SECTION = z
  .strictObject({
    ...connectionFields("https://data-api.avax.network"),
    network: choice("Network whose data is requested; testnet is another name of fuji.", ["mainnet", "fuji", "testnet"])
      .prefault("mainnet")
      .transform((name) => (name === "testnet" ? "fuji" : name)),
    wallets: listOrNone(
      "Addresses of the P-, X- and C-Chain whose UTXOs and rewards are requested. Default: those of watch.addresses on this network.",
      bech32Address("Address in bech32."),
    ),
    utxo_chains: chainsOf("UTXOs"),
    block_chains: chainsOf("proposed blocks"),
    avax_asset_id: id("Asset ID of AVAX. Default: that of the network.", "an asset ID").optional(),
    chains: setOf("EVM chains whose status and features are requested.", chainId("EVM chain ID or blockchain ID.")),
    accounts: listOrNone(
      "Accounts on EVM chains whose activity and holdings are requested. Default: the addresses 0x… of watch.addresses on the C-Chain, and on those of their chains that `chains` lists here.",
      z
        .strictObject({
          address: hexAddress("Address of the account."),
          chains: z
            .array(chainId("EVM chain ID or blockchain ID."))
            .min(1, { error: "a list of EVM chain IDs" })
            .describe("EVM chains to poll."),
        })
        .describe("A watched account."),
    ),
    tokens: listOf("ERC-20 tokens whose amounts are counted.", onChain("A token.", "Address of the token.")),
    contracts: listOf("Contracts whose deployment is requested.", onChain("A contract.", "Address of the contract.")),
    collections: listOf(
      "NFT collections.",
      z
        .strictObject({
          chain: chainId("EVM chain ID or blockchain ID."),
          address: hexAddress("Address of the collection."),
          token_ids: listOf(
            "Token IDs that are polled one by one.",
            matching("Token ID.", /^\d{1,78}$/, "a token ID: a whole number in quotes"),
          ),
        })
        .describe("A collection."),
    ),
    currency: choice("Currency of prices and values.", CURRENCIES).prefault("usd"),
    validators: listOrNone(
      "Node IDs whose staking periods, rewards and blocks are requested. Default: watch.validators, and those of watch.validators_by_network on this network; without any other request, node_id of the nodes.",
      nodeId("Node ID."),
    ),
  })
  .superRefine(oneKey, always)
  .describe("The hosted Data API. Not polled without this section.")
  .transform(({ key, key_file, ...rest }) => ({ ...camelKeys(rest), ...given({ key: key ?? key_file }) }));

export const METRICS_API_SECTION = z
  .strictObject({
    ...connectionFields("https://metrics.avax.network"),
    chains: setOf(
      "EVM chain IDs, or total, mainnet and testnet for sums over chains. Default: 43114.",
      matching(
        "EVM chain ID, total, mainnet or testnet.",
        /^(\d{1,20}|total|mainnet|testnet)$/,
        'an EVM chain ID in quotes, such as "43114", or total, mainnet or testnet',
      ),
      ["43114"],
    ),
    intervals: setOf(
      "Intervals of the values; metrics that exist by day only are requested by day only. Default: day and hour.",
      choice("Interval.", INTERVALS),
      ["day", "hour"],
    ),
  })
  .superRefine(oneKey, always)
  .describe("The hosted Metrics API. Not polled without this section.")
  .transform(({ key, key_file, chains: metricChains, intervals, max_pages: maxPages, ...rest }) => {
    const wanted: HostedSubjects = { ...NOTHING_WANTED, metricChains, intervals, maxPages };
    return { ...camelKeys(rest), ...given({ key: key ?? key_file }), wanted };
  });

export type DataApiSection = z.output<typeof DATA_API_SECTION>;
