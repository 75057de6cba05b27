import { chance } from "../encoding/ids.ts";
import { account, evmHeight, eventsOf, hex, money, units, type Events, type HostedView } from "./hosted-world.ts";

/** Simulated Data API: activity and holdings of accounts on EVM chains, newest record first. */

/** Seconds between transactions of an account. */
const EVERY = 900;

function eventFields(view: HostedView, address: string, kind: string, index: number, at: number) {
  return {
    blockNumber: String(evmHeight(view, at)),
    blockTimestamp: at,
    blockHash: hex(32, address, kind, "block", index),
    txHash: hex(32, address, kind, "tx", index),
  };
}

/** The account is the sender of three events out of four. */
function parties(address: string, index: number) {
  const other = { address: account("other", index % 5) };
  const own = { address };
  return index % 4 === 3 ? { from: other, to: own } : { from: own, to: other };
}

export function transactionsOf(view: HostedView, chainId: string, address: string): Events {
  return eventsOf(view, EVERY, ["transactions", chainId, address], ({ index, at }) => {
    const nativeTransaction = {
      ...eventFields(view, address, "native", index, at),
      chainId,
      blockIndex: index % 7,
      txStatus: index % 50 === 7 ? "0" : "1",
      txType: 2,
      gasLimit: "51373",
      gasUsed: "40000",
      gasPrice: "25000000000",
      nonce: String(index),
      ...parties(address, index),
      value: units(0.5, 18),
      ...(index % 3 === 0 && view.dialect === "real"
        ? {}
        : { method: { callType: "CONTRACT_CALL", methodHash: "0xa9059cbb", methodName: "transfer(address,uint256)" } }),
    };
    if (view.dialect === "spec")
      return {
        nativeTransaction,
        erc20Transfers: [],
        erc721Transfers: [],
        erc1155Transfers: [],
        internalTransactions: [],
      };
    return index % 2 === 0
      ? { nativeTransaction }
      : { nativeTransaction, erc20Transfers: [{ ...parties(address, index), logIndex: 0, ...erc20(view, chainId) }] };
  });
}

/** The ERC-20 token of all transfers. */
export const tokenOf = (chainId: string): string => account("token", chainId);

function erc20(view: HostedView, chainId: string) {
  return {
    value: units(12.5, 6),
    erc20Token: {
      address: tokenOf(chainId),
      name: "Some Dollar",
      symbol: "SUSD",
      decimals: 6,
      ercType: "ERC-20",
      ...(view.dialect === "spec" ? { logoUri: "https://images.example.test/t.png" } : {}),
      price: money(view, 1),
    },
  };
}

const metadata = ({ dialect }: HostedView, index: number) => ({
  indexStatus: index % 10 === 9 ? "INVALID_METADATA" : dialect === "spec" ? "indexed" : "INDEXED",
  metadataLastUpdatedTimestamp: 1_780_000_000 + index,
  ...(dialect === "spec"
    ? {
        name: `Thing #${index}`,
        symbol: "THG",
        imageUri: "",
        description: "",
        animationUri: "",
        externalUrl: "",
        background: "",
      }
    : { name: `Thing #${index}` }),
});

export function nft(view: HostedView, collection: string, index: number): object {
  const erc1155 = Number.parseInt(collection.slice(-1), 16) % 2 === 1 && view.dialect === "real";
  const base = {
    address: collection,
    tokenId: String(index),
    tokenUri: `ipfs://${index}`,
    metadata: metadata(view, index),
  };
  if (erc1155) return { ...base, ercType: "ERC-1155" };
  return {
    ...base,
    name: "Things\u202e",
    symbol: "THG",
    ercType: "ERC-721",
    ownerAddress: account("holder", index % 7),
  };
}

/** Tokens in a collection. */
export const collectionSize = ({ seed }: HostedView, collection: string): number =>
  120 + Math.floor(chance(seed, collection) * 60);

const EVERY_TRANSFER = { listErc20: 1800, listErc721: 21_600, listErc1155: 43_200 } as const;
export type TransferList = keyof typeof EVERY_TRANSFER;

export function transfersOf(view: HostedView, list: TransferList, chainId: string, address: string): Events {
  return eventsOf(view, EVERY_TRANSFER[list], [list, chainId, address], ({ index, at }) => {
    const base = { ...eventFields(view, address, list, index, at), ...parties(address, index), logIndex: index % 9 };
    const collection = account("collection", chainId);
    if (list === "listErc20") return { ...base, ...erc20(view, chainId) };
    const token = { address: collection, tokenId: String(index % 100), tokenUri: "", metadata: metadata(view, index) };
    return list === "listErc721"
      ? { ...base, erc721Token: { ...token, name: "Things", symbol: "THG", ercType: "ERC-721" } }
      : { ...base, value: "3", erc1155Token: { ...token, ercType: "ERC-1155" } };
  });
}

export function nativeBalance(view: HostedView, chainId: string, address: string): object {
  const coins = Math.round(chance(view.seed, chainId, address) * 100_000) / 1000;
  return {
    name: "Avalanche",
    symbol: "AVAX",
    decimals: 18,
    chainId,
    balance: units(coins, 18),
    ...(view.dialect === "spec" ? { logoUri: "https://images.example.test/c.png" } : {}),
    price: money(view, 20),
    balanceValue: money(view, Math.round(coins * 20 * 100) / 100),
  };
}

export function erc721Balances(view: HostedView, chainId: string, address: string): readonly object[] {
  return Array.from({ length: 14 }, (_, i) => {
    const collection = account("collection", chainId, i % 3);
    return {
      address: collection,
      name: `Collection ${i % 3}`,
      symbol: "COL",
      ercType: "ERC-721",
      tokenId: String(i),
      tokenUri: `ipfs://${i}`,
      metadata: metadata(view, i),
      ownerAddress: address,
      chainId,
    };
  });
}

export function deploymentOf(view: HostedView, chainId: string, contract: string, currency: string): object {
  const at = view.start - 20 * 86_400;
  return {
    nativeTransaction: {
      ...eventFields(view, contract, "deployment", 1, at),
      chainId,
      blockIndex: 0,
      txStatus: "1",
      txType: 2,
      gasLimit: "3000000",
      gasUsed: "2000000",
      gasPrice: "25000000000",
      nonce: "7",
      from: { address: account("deployer", contract) },
      to: { address: contract },
      method: { callType: "CONTRACT_CREATION", methodHash: "", methodName: "" },
      value: "0",
      input: "0x60806040",
      baseFeePerGas: "25000000000",
      ...(view.dialect === "spec" ? { maxFeePerGas: "30000000000", maxPriorityFeePerGas: "1" } : {}),
    },
    ...(view.dialect === "spec"
      ? { erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], internalTransactions: [] }
      : {}),
    networkTokenDetails: {
      networkToken: { name: "Avalanche", symbol: "AVAX", decimals: 18, description: "" },
      currentPrice: money(view, 20, currency),
      historicalPrice: money(view, 25, currency),
    },
  };
}
