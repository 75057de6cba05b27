import { bech32, chance, digest, makeId, ZERO_ID } from "../encoding/ids.ts";

/** Facts of the two simulated hosted services, derived from a seed, so that all answers are consistent. */

export type HostedDialect = "spec" | "real";

/** Input of one answer. */
export type HostedView = {
  readonly seed: number;
  readonly dialect: HostedDialect;
  /** Unix seconds of simulated time. */
  readonly now: number;
  /** Start of the simulation, Unix seconds. */
  readonly start: number;
  /** A node ID whose last staking period ended a few days ago without a reward. */
  readonly denied?: string | undefined;
};

export const AVAX_ASSET = {
  mainnet: "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
  fuji: "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK",
} as const;

const DAY = 86_400;
const C_CHAIN = "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5";

/** Indexed chains: the C-Chains, and L1s with invented IDs. The last one is unavailable. */
export const CHAIN_IDS = ["43114", "43113", ...Array.from({ length: 50 }, (_, i) => String(99_001 + i)), "99999"];

export const isTestnet = (chainId: string): boolean =>
  chainId === "43113" || (chainId !== "43114" && Number(chainId) % 2 === 0);

/** A hash of the parts, as hex of `bytes` bytes. Not cryptographic, because listings need thousands. */
export function hex(bytes: number, ...parts: ReadonlyArray<string | number>): string {
  let state = 0x811c9dc5;
  const seed = parts.join(" ");
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  let text = "0x";
  while (text.length < 2 + bytes * 2) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    text += ((state ^ (state >>> 13)) >>> 0).toString(16).padStart(8, "0");
  }
  return text.slice(0, 2 + bytes * 2);
}
export const account = (...parts: ReadonlyArray<string | number>): string => hex(20, "account", ...parts);
export const walletOf = (network: string, ...parts: ReadonlyArray<string | number>): string =>
  bech32(network === "mainnet" ? "avax" : "fuji", digest("wallet", ...parts).subarray(0, 20));

/** An amount in the smallest unit, as decimal text. */
export const units = (coins: number, decimals: number): string =>
  ((BigInt(Math.round(coins * 1000)) * 10n ** BigInt(decimals)) / 1000n).toString();

/** A price: text in the specification, a number at the real service. */
export function money({ dialect }: HostedView, value: number, currency = "usd"): object {
  return { currencyCode: currency, value: dialect === "spec" ? String(value) : value };
}

export function chainRecord(view: HostedView, chainId: string): object {
  const c = chainId === "43114" || chainId === "43113";
  const required = {
    chainId,
    status: chainId === "99999" ? "UNAVAILABLE" : "OK",
    chainName: c ? "Avalanche (C-Chain)" : `Some L1 ${chainId}`,
    description: c ? "The contract chain of the Primary Network." : "",
    vmName: "EVM",
    rpcUrl: `https://rpc.example.test/${chainId}`,
    isTestnet: isTestnet(chainId),
    networkToken: { name: c ? "Avalanche" : `Coin ${chainId}`, symbol: c ? "AVAX" : `C${chainId}`, decimals: 18 },
  };
  // The real service guarantees only these fields; the specification has all.
  if (view.dialect === "real" && !c) return required;
  return {
    ...required,
    platformChainId: c ? C_CHAIN : makeId("chain", chainId),
    subnetId: c ? ZERO_ID : makeId("subnet", chainId),
    vmId: makeId("vm", chainId),
    explorerUrl: `https://explorer.example.test/${chainId}`,
    wsUrl: `wss://rpc.example.test/${chainId}/ws`,
    private: false,
    utilityAddresses: { multicall: account("multicall", chainId) },
    enabledFeatures: c ? ["nftIndexing", "webhooks", "teleporter"] : ["teleporter"],
    ...(view.dialect === "spec" ? { chainLogoUri: "https://images.example.test/chain.png" } : {}),
  };
}

/** Days of history before the start of the simulation. */
const HISTORY_DAYS = 40;

type Occurrence = { readonly index: number; readonly at: number };

/** Events, newest first; `make` creates the record of one event, so that only requested pages cost time. */
export type Events = { readonly times: readonly Occurrence[]; readonly make: (occurrence: Occurrence) => object };

/** An event every `every` seconds since `HISTORY_DAYS` ago, with a phase that depends on `about`. */
export function eventsOf(
  { now, start, seed }: HostedView,
  every: number,
  about: ReadonlyArray<string | number>,
  make: (occurrence: Occurrence) => object,
): Events {
  const first = start - HISTORY_DAYS * DAY + Math.floor(chance(seed, ...about) * every);
  const last = Math.floor((now - first) / every);
  const times = Array.from({ length: Math.max(0, last + 1) }, (_, i) => ({
    index: last - i,
    at: first + (last - i) * every,
  }));
  return { times, make };
}

/** Height of the EVM chains at a time: one block every two seconds. */
export const evmHeight = ({ start }: HostedView, at: number): number => 50_000_000 + Math.floor((at - start) / 2);
