import { z } from "zod";
import { assetHex, avaxAsset } from "./avax-asset.ts";
import { inDialect, type Dialect, type InDialect } from "./dialect.ts";
import { keyedEndpoint, methodsAt, type Method } from "../endpoint.ts";
import { decodeUtxo } from "./decode-utxo.ts";
import { walletsOf } from "./wallets-of.ts";
import { count, list, toAvax, type InvalidRows } from "../wire.ts";

/** EVM ledger API: UTXOs in the memory that the C-Chain shares with P and X, and atomic transactions. */

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
type Utxos = z.output<typeof utxosResult>;
const txId = z.object({ txID: z.string() });

type LedgerMethods = Readonly<Record<"getAtomicTxStatus" | "getAtomicTx" | "issueTx", Method<unknown, unknown>>> & {
  readonly getUTXOs: Method<[z.output<typeof utxosParams>], Utxos>;
};

/** The methods in one dialect; the parameters are one object in an array. */
export function ledgerMethods(dialect: Dialect): LedgerMethods {
  const service = dialect === "spec" ? "ledger" : "avax";
  const declared = methodsAt(`/ext/bc/C/${service}`);
  const method = <P, R>(name: string, about: string, params: z.ZodType<P>, result: z.ZodType<R>, writes = false) =>
    declared(`${service}.${name}`, about, z.tuple([params]), result, { writes });
  return {
    getUTXOs: method("getUTXOs", "UTXOs that wait on C for import from another chain.", utxosParams, utxosResult),
    getAtomicTxStatus: method(
      "getAtomicTxStatus",
      "Status of an atomic transaction: Unknown, Dropped, Processing or Accepted; up to AvalancheGo 1.15.1.",
      txId,
      z.object({ status: z.string(), blockHeight: count.optional() }),
    ),
    getAtomicTx: method(
      "getAtomicTx",
      "An atomic transaction by its ID.",
      txId.extend({ encoding }),
      z.object({ tx: z.string(), encoding, blockHeight: count.optional() }),
    ),
    issueTx: method(
      "issueTx",
      "Sends a signed atomic transaction to the network.",
      z.object({ tx: z.string(), encoding }),
      txId,
      true,
    ),
  };
}

/** UTXOs per page: the maximum of a node. A server can give fewer. */
const PAGE = 1024;
/** Maximum number of pages per poll. */
const MAX_PAGES = 10;
const SOURCES = ["P", "X"] as const;

/** UTXOs on C that wait for import, for one address and source chain. */
export type Waiting = InDialect & {
  readonly address: string;
  readonly source: string;
  readonly utxos: number;
  /** Total AVAX; `undefined` if the asset ID of AVAX is unknown, or a UTXO cannot be read. */
  readonly avax: number | undefined;
  /** There are more UTXOs than `MAX_PAGES` pages. */
  readonly truncated: boolean;
  /** Asset ID of AVAX in hex, read once. */
  readonly asset: string | undefined;
  readonly invalidRows?: InvalidRows | undefined;
};

/**
 * Keyed by watched `C-…` address and source chain. A page without another UTXO is behind the last one: `endIndex` of the last page
 * differs between releases, and its size between servers.
 */
export const WaitingUtxos = keyedEndpoint<Waiting>({
  id: "ledger.getUTXOs",
  about: "UTXOs that wait on C for import, by watched address and source chain.",
  scope: "network",
  methods: ["ledger.getUTXOs", "avax.getUTXOs"],
  every: 60,
  timeout: 20,
  keys: (facts) => walletsOf(facts, "C-").flatMap(({ address }) => SOURCES.map((source) => `${address} ${source}`)),
  follows: true,
  ask: (api, key, facts, previous) =>
    inDialect(facts.options.dialect, previous?.dialect, async (dialect) => {
      const [address = "", source = ""] = key.split(" ");
      const { texts, truncated } = await readPages((limit, start) =>
        api.call(ledgerMethods(dialect).getUTXOs, [
          { addresses: [address], sourceChain: source, limit, encoding: "hex", ...start },
        ]),
      );
      const asset = previous?.asset ?? assetHex(await avaxAsset(api, facts));
      return { dialect, address, source, truncated, asset, ...totalOf(texts, asset) };
    }),
});

/** UTXOs as encoded texts. */
type Pages = { readonly texts: ReadonlySet<string>; readonly truncated: boolean };
type Start = { readonly startIndex?: z.infer<typeof index> };

/** All UTXOs, page by page, up to `MAX_PAGES` pages. */
export async function readPages(ask: (limit: number, start: Start) => Promise<Utxos>): Promise<Pages> {
  const texts = new Set<string>();
  let start: Start = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(PAGE, start);
    const before = texts.size;
    for (const text of answer.utxos) texts.add(text);
    const { endIndex } = answer;
    // UTXOs can repeat on the next page.
    if (texts.size === before || endIndex === undefined) return { texts, truncated: false };
    start = { startIndex: endIndex };
  }
  return { texts, truncated: true };
}

/** Sums UTXOs. One that cannot be decoded is a UTXO all the same, and leaves the sum unknown, as AVAX in an output of unknown type does. */
function totalOf(texts: ReadonlySet<string>, asset: string | undefined) {
  const amounts = new Map<string, bigint | undefined>();
  let invalid = 0;
  for (const text of texts) {
    const utxo = decodeUtxo(text);
    if (utxo === undefined) invalid++;
    else amounts.set(utxo.id, utxo.asset === asset ? utxo.amount : 0n);
  }
  const known = [...amounts.values()].filter((amount) => amount !== undefined);
  const utxos = amounts.size + invalid;
  const isKnown = known.length === utxos && (asset !== undefined || utxos === 0);
  return {
    utxos,
    avax: isKnown ? toAvax(known.reduce((sum, amount) => sum + amount, 0n)) : undefined,
    invalidRows: invalid === 0 ? undefined : { count: invalid, problem: "utxos: not an encoded UTXO" },
  };
}
