import { z } from "zod";
import { keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { isLacking } from "./dialect.ts";
import { assetHex, avaxAsset } from "./avax-asset.ts";
import { readPages } from "./waiting-utxos.ts";
import { platformMethod } from "./platform.ts";
import { stateMethods } from "./platform-state.ts";
import { decodeUtxo } from "./decode-utxo.ts";
import { walletsOf } from "./wallets-of.ts";
import { count, httpDate, list, toAvax } from "../wire.ts";

/** Balances of watched P-Chain addresses: the method is deprecated, and a release without it still has the UTXOs. */

const index = z.object({ address: z.string(), utxo: z.string() });
const getUTXOs = {
  ...platformMethod(
    "platform.getUTXOs",
    "UTXOs of addresses.",
    z.object({
      ...{ addresses: z.array(z.string()), limit: z.number(), encoding: z.string() },
      startIndex: index.optional(),
    }),
    z.object({
      numFetched: count,
      utxos: list(z.string()),
      endIndex: index.optional(),
      /** Of the reply: locks end by the clock of the node. */
      date: httpDate,
    }),
    { beyond: true },
  ),
  dated: true,
};

const STATES = ["unlocked", "lockedStakeable", "lockedNotStakeable"] as const;

/** AVAX; unknown where AVAX is not known among the assets. */
type Balance = Readonly<Record<(typeof STATES)[number], number | undefined>> & {
  readonly utxos: number | undefined;
  /** Asset ID of AVAX, read once, where an answer has no totals. */
  readonly asset?: string | undefined;
  /** Whether the node lacks the method, so that the UTXOs are added up. */
  readonly isSummed: boolean;
};

/** Keyed by watched `P-…` address: an answer for several addresses would be their sum. */
export const PlatformBalances = keyedEndpoint<Balance>({
  id: "platform.getBalance",
  about: "Balance of each watched P-Chain address; from its UTXOs where the node has no such method any more.",
  scope: "network",
  methods: ["platform.getBalance", "platform.getUTXOs"],
  every: 60,
  timeout: 20,
  optional: true,
  keys: (facts) => walletsOf(facts, "P-").map(({ address }) => address),
  follows: true,
  afresh: (balance) => ({ ...balance, isSummed: false }),
  async ask(api, address, facts, previous) {
    if (previous?.isSummed === true) return summed(api, address, facts);
    try {
      return await asked(api, address, facts, previous);
    } catch (error) {
      if (!isLacking(error, previous === undefined)) throw error;
      return summed(api, address, facts);
    }
  },
});

/** The balance as the node has it: the total, else that of AVAX among the assets. */
async function asked(api: Api, address: string, facts: TargetFacts, previous: Balance | undefined): Promise<Balance> {
  const found = await api.call(stateMethods.getBalance, { addresses: [address] });
  const isWhole = STATES.every((state) => found[state] !== undefined);
  const asset = previous?.asset ?? (isWhole ? undefined : await avaxAsset(api, facts));
  const ofAvax = (byAsset: Readonly<Record<string, bigint>>): number | undefined =>
    asset !== undefined ? toAvax(byAsset[asset] ?? 0n) : Object.keys(byAsset).length === 0 ? 0 : undefined;
  return {
    unlocked: found.unlocked ?? ofAvax(found.unlockeds),
    lockedStakeable: found.lockedStakeable ?? ofAvax(found.lockedStakeables),
    lockedNotStakeable: found.lockedNotStakeable ?? ofAvax(found.lockedNotStakeables),
    utxos: found.utxoIDs.length,
    ...{ asset, isSummed: false },
  };
}

/** The balance as the node adds it up. Unknown where a UTXO cannot be read, or there are more than are read. */
async function summed(api: Api, address: string, facts: TargetFacts): Promise<Balance> {
  let now: number | undefined;
  const { texts, truncated } = await readPages(async (limit, start) => {
    const page = await api.call(getUTXOs, { addresses: [address], limit, encoding: "hex", ...start });
    now = page.date;
    return page;
  });
  const asset = assetHex(await avaxAsset(api, facts));
  const held = [...texts].map(decodeUtxo).map((utxo) => {
    if (utxo?.amount === undefined || asset === undefined) return undefined;
    const { amount, lockedUntil, stakeableOnlyUntil } = utxo;
    if (now === undefined && lockedUntil + stakeableOnlyUntil > 0n) return undefined;
    const isAhead = (date: bigint) => date > (now ?? 0);
    const state = isAhead(lockedUntil)
      ? "lockedNotStakeable"
      : isAhead(stakeableOnlyUntil)
        ? "lockedStakeable"
        : "unlocked";
    return { state, amount: utxo.asset === asset ? amount : 0n };
  });
  const isKnown = !truncated && held.every((each) => each !== undefined);
  const sums = STATES.map((state) => {
    const amounts = held.flatMap((each) => (each?.state === state ? [each.amount] : []));
    return [state, isKnown ? toAvax(amounts.reduce((sum, amount) => sum + amount, 0n)) : undefined] as const;
  });
  const { unlocked, lockedStakeable, lockedNotStakeable } = Object.fromEntries(sums);
  return { unlocked, lockedStakeable, lockedNotStakeable, utxos: truncated ? undefined : texts.size, isSummed: true };
}
