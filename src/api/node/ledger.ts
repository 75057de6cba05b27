import { createHash } from "node:crypto";
import { z } from "zod";
import { inDialect, isMissing, type Dialect, type InDialect } from "./dialect.ts";
import { ApiError, keyedEndpoint, type Api, type Method, type TargetFacts } from "../endpoint.ts";
import { balanceMethods } from "./platform-balance.ts";
import { decodeUtxo } from "./utxo.ts";
import { walletsOf } from "./wallets.ts";
import { base58Decode, count, list, toAvax, type Sha256 } from "../wire.ts";

/** EVM ledger API: what waits in the memory that the C-Chain shares with P and X, and atomic transactions. */

const index = z.object({ address: z.string(), utxo: z.string() });
const encoding = z.string().optional();
const utxosParams = z.object({
  addresses: z.array(z.string()),
  sourceChain: z.string(),
  startIndex: index.optional(),
  limit: z.number().optional(),
  encoding,
});
const utxosResult = z.object({ numFetched: count, utxos: list(z.string()), endIndex: index.optional() });
const txId = z.object({ txID: z.string() });

/** The methods in one spelling; parameters are one object in an array. */
export function ledgerMethods(dialect: Dialect) {
  const service = dialect === "spec" ? "ledger" : "avax";
  const method = <P, R>(name: string, about: string, params: z.ZodType<P>, result: z.ZodType<R>): Method<[P], R> => ({
    name: `${service}.${name}`,
    path: `/ext/bc/C/${service}`,
    about,
    params: z.tuple([params]),
    result,
  });
  return {
    getUTXOs: method("getUTXOs", "UTXOs that wait on C for import from another chain.", utxosParams, utxosResult),
    getAtomicTxStatus: method(
      "getAtomicTxStatus",
      "Status of an atomic transaction: Unknown, Dropped, Processing or Accepted.",
      txId,
      z.object({ status: z.string(), blockHeight: count.optional() }),
    ),
    getAtomicTx: method(
      "getAtomicTx",
      "An atomic transaction by its ID.",
      txId.extend({ encoding }),
      z.object({ tx: z.string(), encoding, blockHeight: count.optional() }),
    ),
    issueTx: {
      ...method(
        "issueTx",
        "Sends a signed atomic transaction to the network.",
        z.object({ tx: z.string(), encoding }),
        txId,
      ),
      writes: true,
    },
  };
}

/** UTXOs a page: the most that a node gives. */
const PAGE = 1024;
/** Pages that one poll reads at most. */
const MOST_PAGES = 10;
const SOURCES = ["P", "X"] as const;

/** What waits on C for one address from one chain. */
export type Waiting = InDialect & {
  readonly address: string;
  readonly source: string;
  readonly utxos: number;
  /** Sum of those that hold AVAX; `undefined` while it is not known which asset is AVAX. */
  readonly avax: number | undefined;
  /** There are more than were read. */
  readonly truncated: boolean;
  /** Asset ID of AVAX in hex, found out once. */
  readonly asset: string | undefined;
};

/**
 * Keyed by watched `C-…` address and source chain. A page with fewer UTXOs than asked for is the last one: what `endIndex`
 * holds when nothing is left differs from release to release.
 */
export const WaitingUtxos = keyedEndpoint<Waiting>({
  id: "ledger.getUTXOs",
  about: "UTXOs that wait on C for import, by watched address and source chain.",
  scope: "network",
  methods: ["ledger.getUTXOs", "avax.getUTXOs"],
  every: 60,
  timeout: 20,
  keys: (facts) => walletsOf(facts, "C-").flatMap(({ address }) => SOURCES.map((source) => `${address} ${source}`)),
  ask: (api, key, facts, previous) =>
    inDialect(facts.dialect, previous?.dialect, async (dialect) => {
      const [address = "", source = ""] = key.split(" ");
      const { texts, truncated } = await readAll(api, dialect, address, source);
      const asset = previous === undefined ? await avaxAsset(api, facts) : previous.asset;
      return { dialect, address, source, truncated, asset, ...added(texts, asset) };
    }),
});

async function readAll(
  api: Api,
  dialect: Dialect,
  address: string,
  sourceChain: string,
): Promise<{ readonly texts: ReadonlySet<string>; readonly truncated: boolean }> {
  const texts = new Set<string>();
  let startIndex: z.infer<typeof index> | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await api.call(ledgerMethods(dialect).getUTXOs, [
      { addresses: [address], sourceChain, limit: PAGE, ...(startIndex === undefined ? {} : { startIndex }) },
    ]);
    const before = texts.size;
    for (const text of answer.utxos) texts.add(text);
    const isLast = answer.numFetched < PAGE || answer.endIndex === undefined;
    // UTXOs may come again on the next page, but a page of nothing else means that the server goes round in a circle.
    if (isLast || texts.size === before) return { texts, truncated: false };
    startIndex = answer.endIndex;
  }
  return { texts, truncated: true };
}

const sha256: Sha256 = (bytes) => createHash("sha256").update(bytes).digest();

/** Adds up what was read. A UTXO that cannot be decoded fails the poll: a sum without it would be wrong. */
function added(texts: ReadonlySet<string>, asset: string | undefined): { utxos: number; avax: number | undefined } {
  const amounts = new Map<string, bigint>();
  for (const text of texts) {
    const utxo = decodeUtxo(text, sha256);
    if (utxo === undefined) throw new ApiError({ reason: "schema", message: "result.utxos: not an encoded UTXO" });
    amounts.set(utxo.id, utxo.asset === asset ? (utxo.amount ?? 0n) : 0n);
  }
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
  return { utxos: amounts.size, avax: asset === undefined && amounts.size > 0 ? undefined : toAvax(total) };
}

/** Asset IDs of AVAX on networks that everybody knows. */
const KNOWN_ASSETS: Readonly<Record<string, string>> = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
  local: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
};

/** Which asset is AVAX, in hex: what the P-Chain says, else what is known of the network, else nothing. */
async function avaxAsset(api: Api, { network }: TargetFacts): Promise<string | undefined> {
  const said = await api.call(balanceMethods.getStakingAssetID, {}).catch((error: unknown) => {
    // Beyond the specification: a server without it is not at fault.
    if (error instanceof ApiError && isMissing(error.failure)) return undefined;
    throw error;
  });
  const bytes = base58Decode(said?.assetID ?? KNOWN_ASSETS[network ?? ""] ?? "");
  return bytes?.length === 36 ? Buffer.from(bytes.subarray(0, 32)).toString("hex") : undefined;
}
