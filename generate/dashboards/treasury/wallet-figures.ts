import { where } from "../../../src/topics/define/selector.ts";
import { evmWallets } from "../../../src/topics/wallets/evm-wallets.ts";
import { platformBalance } from "../../../src/topics/wallets/platform-balance.ts";
import { watchedAddresses } from "../../../src/topics/wallets/watched-addresses.ts";
import { NETWORK } from "../parts/selectors.ts";

/** Spendable AVAX of wallets on the P-Chain. */
export const unlocked = where(platformBalance.metrics.balance, { ...NETWORK, state: "unlocked" });
/** Coins of addresses by EVM chain. */
export const coins = where(evmWallets.metrics.balance, NETWORK);
/** Configured limits of wallets. */
export const limit = where(watchedAddresses.metrics.low, NETWORK);

const lowest = `(min by (network, wallet) (${coins}) or max by (network, wallet) (${unlocked}))`;

/** 1 for each wallet with a limit whose balance, on its poorest chain, reaches it; else 0. */
export const sufficient = `${lowest} >= bool on (network, wallet) max by (network, wallet) (${limit})`;
