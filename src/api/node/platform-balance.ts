import { z } from "zod";
import { ApiError, keyedEndpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { isMissing } from "./dialect.ts";
import { avaxAsset, readPages } from "./ledger.ts";
import { platformMethod } from "./platform.ts";
import { stateMethods } from "./platform-state.ts";
import { decodeUtxo } from "./utxo.ts";
import { walletsOf } from "./wallets.ts";
import { count, httpDate, list, toAvax } from "../wire.ts";

/** Balances of watched P-Chain addresses: the method is deprecated, and a release without it still has the UTXOs. */

const index = z.object({ address: z.string(), utxo: z.string() });
const getUTXOs = {
  ...platformMethod(
    "platform.getUTXOs",
    "UTXOs of addresses.",
    z.object({ addresses: z.array(z.string()), limit: z.number(), startIndex: index.optional() }),
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

type Balance = Omit<z.infer<typeof stateMethods.getBalance.result>, "utxos"> & {
  readonly utxos: number | undefined;
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
      return { ...(await api.call(stateMethods.getBalance, { addresses: [address] })), isSummed: false };
    } catch (error) {
      if (!(error instanceof ApiError) || !isMissing(error.failure)) throw error;
      return summed(api, address, facts);
    }
  },
});

const STATES = ["unlocked", "lockedStakeable", "lockedNotStakeable"] as const;

/** The balance as the node adds it up. Unknown where a UTXO cannot be read, or there are more than are read. */
async function summed(api: Api, address: string, facts: TargetFacts): Promise<Balance> {
  let now: number | undefined;
  const { texts, truncated } = await readPages(async (limit, start) => {
    const page = await api.call(getUTXOs, { addresses: [address], limit, ...start });
    now = page.date;
    return page;
  });
  const asset = await avaxAsset(api, facts);
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
