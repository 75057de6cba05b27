import { addressPrefix } from "../../api/node/wallets.ts";
import { complain, isComplained, isRecord, valueAt, type Findings, type Path } from "../base/tree.ts";
import { oneOf } from "../base/words.ts";
import { itemsAt } from "./check-nodes.ts";

type Address = { readonly at: Path; readonly prefix: string };

/**
 * Rejects addresses in bech32 that name another network than the one that they are watched on: no node ever answers for them.
 * A network is known where the configuration gives it its usual name.
 */
export function checkAddressNetworks(root: unknown, findings: Findings): void {
  checkWatched(root, findings);
  checkByNetwork(root, findings);
  checkHosted(root, findings);
}

/** Wallets, and reward addresses of validators on any network, against the networks of all nodes and of the Data API. */
function checkWatched(root: unknown, findings: Findings): void {
  const nodes = itemsAt(root, ["nodes"]).map(({ value }) => value["network"]);
  const networks = [...new Set([...nodes, ...hostedNetwork(root)])];
  const prefixes = networks.map((network) => (typeof network === "string" ? addressPrefix(network) : undefined));
  // A node without a network reports it, and a name of the configuration can be that of any network.
  if (nodes.length === 0 || prefixes.includes(undefined)) return;
  const wallets = itemsAt(root, ["watch", "addresses"]).map(({ path }) => [...path, "address"]);
  for (const { at, prefix } of found(root, [...wallets, ...rewardPaths(root, ["watch", "validators"])], findings)) {
    if (prefixes.includes(prefix)) continue;
    const known = oneOf(networks.map(String).sort());
    complain(findings, at, `this address starts with ${prefix}1, but all nodes are on ${known}; correct or remove it`);
  }
}

function checkByNetwork(root: unknown, findings: Findings): void {
  const byNetwork = valueAt(root, ["watch", "validators_by_network"]);
  for (const network of isRecord(byNetwork) ? Object.keys(byNetwork) : []) {
    const paths = rewardPaths(root, ["watch", "validators_by_network", network]);
    checkOne(found(root, paths, findings), addressPrefix(network), network, findings);
  }
}

function checkHosted(root: unknown, findings: Findings): void {
  const [network] = hostedNetwork(root);
  const wallets = listPaths(root, ["data_api", "wallets"]);
  checkOne(found(root, wallets, findings), addressPrefix(network), network ?? "", findings);
}

function checkOne(
  addresses: readonly Address[],
  expected: string | undefined,
  network: string,
  findings: Findings,
): void {
  for (const { at, prefix } of addresses) {
    if (expected === undefined || prefix === expected) continue;
    complain(findings, at, `this address starts with ${prefix}1; on ${network} addresses start with ${expected}1`);
  }
}

/** The network of the Data API, by the name that nodes use. */
function hostedNetwork(root: unknown): string[] {
  const section = valueAt(root, ["data_api"]);
  if (!isRecord(section)) return [];
  const network = section["network"] ?? "mainnet";
  return typeof network === "string" ? [network === "testnet" ? "fuji" : network] : [];
}

const rewardPaths = (root: unknown, list: Path): Path[] =>
  itemsAt(root, list).flatMap(({ path }) => listPaths(root, [...path, "reward_addresses"]));

function listPaths(root: unknown, path: Path): Path[] {
  const list = valueAt(root, path);
  return Array.isArray(list) ? list.map((_, index) => [...path, index]) : [];
}

/** The addresses in bech32 at these places, without those that have a problem already. */
function found(root: unknown, paths: readonly Path[], findings: Findings): Address[] {
  return paths.flatMap((at) => {
    const value = valueAt(root, at);
    const prefix = typeof value === "string" ? /^(?:[PXC]-)?([a-z]+)1/.exec(value)?.[1] : undefined;
    return prefix === undefined || isComplained(findings, at) ? [] : [{ at, prefix }];
  });
}
