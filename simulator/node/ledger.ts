import { chainRoute, gate, namedChain } from "../world/chains.ts";
import { goJson } from "../encoding/gotime.ts";
import { addressFault, bech32, cb58, chainAddress, isId, makeId, ZERO_ID } from "../encoding/ids.ts";
import { heliconActive } from "../world/network.ts";
import { answerRpc, type RpcService } from "../world/rpc.ts";
import { utxoAt, utxoCount, withChecksum } from "../world/utxos.ts";
import {
  BAD_ARGUMENT,
  fail,
  int,
  numberParam,
  ok,
  textParam,
  textsParam,
  u64,
  type Interface,
  type SimulatedMethod,
  type Params,
  type View,
} from "../world/wire.ts";

/** EVM ledger API: atomic UTXOs and transactions of the C-Chain. `ledger` in the specification, `avax` on a real node. */

/** Maximum number of UTXOs per page. */
const MAX_UTXOS = 1024;
/** Accepted atomic transactions, at heights from 1 on. */
const TRANSACTIONS = 3;

const isHelicon = (view: View): boolean =>
  view.dialect === "avalanchego" && heliconActive(view.network, view.index, view.at);

const getUTXOs: SimulatedMethod = (view, params) => {
  const { hrp } = view.network.world;
  const addresses = textsParam(params, "addresses")?.map((text) => chainAddress("C", hrp, text));
  const source = textParam(params, "sourceChain");
  const limit = numberParam(params, "limit");
  if (addresses === undefined || source === undefined || limit === undefined) return fail(BAD_ARGUMENT);
  if (addresses.length === 0) return fail("no addresses provided");
  if (source === "" && !isHelicon(view)) return fail("no source chain provided");
  const chain = namedChain(view, source);
  if (chain === undefined) {
    const words = isHelicon(view) ? "parsing" : "problem parsing";
    return fail(`${words} source chainID ${goJson(source)}: there is no ID with alias: ${source}`);
  }
  const fault = addressFault(addresses);
  if (fault !== undefined) return fail(fault);
  return pageOf(view, addresses, chain, limit === 0 || limit > MAX_UTXOS ? MAX_UTXOS : limit, cursorOf(params));
};

type Cursor = { readonly address: string; readonly utxo: string };

function cursorOf(params: Params): Cursor | undefined {
  const index = params.get("startindex");
  if (typeof index !== "object" || index === null) return undefined;
  const { address, utxo } = index as Partial<Record<keyof Cursor, unknown>>;
  return typeof address === "string" && typeof utxo === "string" ? { address, utxo } : undefined;
}

/** Before Helicon a page begins with the UTXO at the cursor, which repeats it; since Helicon after it. */
function pageOf(view: View, addresses: ReadonlyArray<string>, chain: string, limit: number, start: Cursor | undefined) {
  const all = addresses.flatMap((address) =>
    Array.from({ length: utxoCount(view, address, chain) }, (_, i) => ({ address, i })),
  );
  const at =
    start === undefined ? -1 : all.findIndex(({ address, i }) => utxoId(view, address, chain, i) === start.utxo);
  const isPastEnd = start !== undefined && at < 0;
  const from = isPastEnd ? all.length : at < 0 ? 0 : isHelicon(view) ? at + 1 : at;
  const page = all.slice(from, from + limit);
  const last = page.at(-1);
  return ok({
    numFetched: int(view, page.length),
    utxos: page.map(({ address, i }) => utxoAt(view, address, chain, i)),
    endIndex: endOf(view, addresses, from + page.length >= all.length, start, last && { ...last, chain }),
    encoding: "hex",
  });
}

const utxoId = ({ network }: View, address: string, chain: string, i: number): string =>
  makeId(network.world.settings.seed, "utxo id", address, chain, i);

function endOf(
  view: View,
  addresses: ReadonlyArray<string>,
  exhausted: boolean,
  start: Cursor | undefined,
  last: { readonly address: string; readonly chain: string; readonly i: number } | undefined,
): Cursor {
  const ones = Buffer.alloc(32, 0xff);
  if (isHelicon(view) && exhausted)
    return { address: `C-${bech32(view.network.world.hrp, ones.subarray(0, 20))}`, utxo: cb58(ones) };
  if (last !== undefined) return { address: last.address, utxo: utxoId(view, last.address, last.chain, last.i) };
  return start ?? { address: addresses.at(-1) ?? "", utxo: ZERO_ID };
}

/** IDs of the accepted atomic transactions of a network; the first is in block 1. */
export function atomicTransactions(seed: number): ReadonlyArray<string> {
  return Array.from({ length: TRANSACTIONS }, (_, i) => makeId(seed, "atomic", i));
}

const heightOf = ({ network }: View, id: string): number =>
  atomicTransactions(network.world.settings.seed).indexOf(id) + 1;

/** The parameter `txID`, or the error for it. */
function txIdParam(params: Params): string | { readonly error: string } {
  const id = textParam(params, "txID");
  if (id === undefined || (id !== "" && !isId(id))) return { error: BAD_ARGUMENT };
  return id === "" || id === ZERO_ID ? { error: "nil transaction ID" } : id;
}

const getAtomicTxStatus: SimulatedMethod = (view, params) => {
  const id = txIdParam(params);
  if (typeof id !== "string") return id;
  const height = heightOf(view, id);
  return ok(height === 0 ? { status: "Unknown" } : { status: "Accepted", blockHeight: int(view, height) });
};

const getAtomicTx: SimulatedMethod = (view, params) => {
  const id = txIdParam(params);
  if (typeof id !== "string") return id;
  const height = heightOf(view, id);
  if (height === 0) return fail(isHelicon(view) ? "fetching tx: reading tx: not found" : `could not find tx ${id}`);
  if (textParam(params, "encoding") === "json")
    return fail(`${isHelicon(view) ? "encoding tx: encoding tx: " : ""}unsupported encoding in method`);
  const bytes = Buffer.concat([Buffer.alloc(6), Buffer.from(id)]);
  return ok({ tx: withChecksum(bytes), encoding: "hex", blockHeight: view.dialect === "spec" ? height : u64(height) });
};

const issueTx: SimulatedMethod = ({ network }, params) => {
  const tx = textParam(params, "tx");
  if (tx === undefined) return fail(BAD_ARGUMENT);
  const isWhole = /^0x([0-9a-fA-F]{2}){8,}$/.test(tx) && withChecksum(Buffer.from(tx.slice(2, -8), "hex")) === tx;
  return isWhole
    ? ok({ txID: makeId(network.world.settings.seed, "issued", tx) })
    : fail("problem decoding transaction: invalid input checksum");
};

const methods: RpcService["methods"] = { getUTXOs, getAtomicTxStatus, getAtomicTx, issueTx };

/** Serves the ledger of the C-Chain, only at the path of the dialect. */
export const ledger: Interface = (request, view) => {
  const route = chainRoute(view, request.path);
  const name = view.dialect === "spec" ? "ledger" : "avax";
  if (route?.chain !== "C" || route.rest !== `/${name}`) return undefined;
  return gate(view, "C") ?? answerRpc({ name, methods }, request, view);
};
