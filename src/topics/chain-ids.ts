import type { Answer, Chain, TargetFacts } from "../api/endpoint.ts";
import type { HealthReport } from "../api/node/health.ts";
import { BlockchainId } from "../api/node/info.ts";
import { optional } from "./define/needs.ts";
import { isChainCheck, knownChain } from "./labels.ts";
import { valuesOf } from "./per-answer.ts";

/**
 * Which chain and which subnet a node means. It names its checks, and the chains on which it benches a peer, by the chain's first
 * alias, else by its ID; a server of the specification by the ID.
 */

/** Blockchain IDs of a node's aliases: names the chains of its checks. */
export const chainIds = optional(BlockchainId);

type AnsweredId = { readonly blockchainID: string | undefined };
/** Answers of a node about its aliases, by alias. */
export type ChainIds = ReadonlyMap<string, AnsweredId> | undefined;
type Check = Pick<HealthReport["checks"][string], "error" | "message">;
/** What labels depend on. */
export type KnownChains = Pick<TargetFacts, "knownChains">;

/** The same, of a node in a comparison. */
export const comparedIds = (answers: ReadonlyMap<string, Answer<AnsweredId>> | undefined): ChainIds =>
  answers && valuesOf(answers);

/** The known chain of a check: by its ID or label, by an alias of its ID, or by the ID of an alias. */
export function checkedChain(facts: KnownChains, ids: ChainIds, check: string): Chain | undefined {
  const known = knownChain(facts, check) ?? knownChain(facts, ids?.get(check)?.blockchainID ?? check);
  if (known !== undefined) return known;
  for (const [alias, { blockchainID }] of ids ?? []) if (blockchainID === check) return knownChain(facts, alias);
  return undefined;
}

/** The label of a chain, and of its check: `check` and `chain` are the same for one chain. */
export function checkLabel(facts: KnownChains, ids: ChainIds, check: string): string {
  return checkedChain(facts, ids, check)?.label ?? check;
}

/** A check of a chain whose subnet is not configured. */
export const OTHER = "other";
/** Base58 of 36 bytes. */
const BLOCKCHAIN_ID = /^[1-9A-HJ-NP-Za-km-z]{44,52}$/;
const NOT_CREATED = /^failed to create chain on subnet ([1-9A-HJ-NP-Za-km-z]+)/;

/**
 * The subnet of a check: `primary`, the ID of a configured subnet, or `other`; empty for a check of the whole node. A chain that
 * the configuration does not list is `other`: which subnet it is of is known only from the text of some failures.
 */
export function subnetOfCheck(
  facts: KnownChains & Pick<TargetFacts, "networkSubnets">,
  ids: ChainIds,
  [name, check]: readonly [name: string, check: Check],
): string {
  if (!isChainCheck(name)) return "";
  const chain = checkedChain(facts, ids, name);
  if (chain !== undefined) return chain.subnet;
  const named = typeof check.error === "string" ? NOT_CREATED.exec(check.error)?.[1] : undefined;
  if (named !== undefined) return facts.networkSubnets.includes(named) ? named : OTHER;
  return BLOCKCHAIN_ID.test(name) || ids?.has(name) === true || hasEngine(check) ? OTHER : "";
}

/** Whether the message is that of a chain, which an unknown alias names. */
function hasEngine({ message }: Check): boolean {
  return typeof message === "object" && message !== null && ("engine" in message || "networking" in message);
}
