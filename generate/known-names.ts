import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { METHODS } from "../src/api/node/methods.ts";
import { GLOBAL_CHECKS } from "../src/topics/labels.ts";
import { NODE_FIELDS } from "./fields/node-fields.ts";
import { fieldsOf } from "./fields/values.ts";

/**
 * The names that nodes are known to send: those of the recordings, of the specification, and of AvalancheGo's source where neither has
 * them. What a node sends beyond them is new, and whoever maintains the exporter learns of it (`doctor --unknown`).
 */

const RECORDINGS = join(import.meta.dirname, "../test/recordings");

/** `**`: fields that are not the node's: of transactions and events, of settings, of a VM. */
const ANY = "**";

const OWNERS = ["validationRewardOwner", "delegationRewardOwner", "validatorAuthority"];
const PRECOMPILES = ["contractDeployerAllowList", "contractNativeMinter", "feeManager", "rewardManager", "txAllowList"];

/** Fields of the source of AvalancheGo that no recording has, and those below which nothing is compared. */
const FURTHER: Readonly<Record<string, string>> = {
  "GET /ext/health": `healthy checks.*.message.engine.vm.${ANY}
    checks.shuttingDown.message.isShuttingDown checks.futureupgrade.message.timeUntilUpgrade
    ${[...GLOBAL_CHECKS]
      .map(
        (check) => `checks.${check}.timestamp checks.${check}.duration checks.${check}.error
      checks.${check}.message checks.${check}.contiguousFailures checks.${check}.timeOfFirstFailure`,
      )
      .join(" ")}`,
  "info.getNodeVersion": `vmVersions.${ANY}`,
  "platform.getBalance": "lockedStakeables.* lockedNotStakeables.* unlockeds.* balances.*",
  "platform.getBlockByHeight": `block.txs.${ANY} block.tx.${ANY} block.transactions.${ANY}`,
  "platform.getStakingAssetID": "assetID",
  "platform.getUTXOs": "numFetched utxos encoding endIndex.address endIndex.utxo",
  // The first three were sent before 1.14.
  "platform.getCurrentValidators": `validators.stakeAmount validators.delegators.stakeAmount validators.rewardOwner.${ANY}
    validators.exactDelegationFee validators.staked.${ANY}
    validators.restakedValidationRewards validators.restakedDelegateeRewards
    ${OWNERS.map((owner) => `validators.${owner}.locktime validators.${owner}.threshold validators.${owner}.addresses`).join(" ")}`,
  eth_getBlockByNumber: `transactions.${ANY} uncles withdrawals withdrawalsRoot requestsHash`,
  eth_getBlockReceipts: `blockHash blockNumber contractAddress cumulativeGasUsed effectiveGasPrice from gasUsed logs.${ANY} logsBloom
    root status to transactionHash transactionIndex type blobGasUsed blobGasPrice`,
  eth_getChainConfig: `arrowGlacierBlock grayGlacierBlock mergeNetsplitBlock eip150Hash shanghaiTime pragueTime osakaTime verkleTime
    terminalTotalDifficulty terminalTotalDifficultyPassed depositContractAddress enableVerkleAtGenesis ethash.${ANY} clique.${ANY}
    blobSchedule.${ANY} allowFeeRecipients initialMinDelayMS subnetEVMTimestamp upgrades.${ANY} networkUpgradeOverrides.${ANY}
    precompileUpgrades.${ANY} stateUpgrades.${ANY} gasPriceManagerConfig.${ANY} warpConfig.${ANY}
    ${PRECOMPILES.map((name) => `${name}Config.${ANY}`).join(" ")}`,
  "admin.getVMConfig": `config.${ANY}`,
  admin_getVMConfig: `config.${ANY}`,
};

/** A node that ignores the parameter, as real ones do, refuses the question. */
const IGNORED = "info.uptime {subnetID}";

/** Methods that no poll asks. */
const UNUSED = /^(?:platform\.getBlock|avax\.getAtomicTx(?:Status)?)$/;

type Tree = Map<string, Tree>;

/** A recorded exchange. */
type Exchange = {
  readonly request: { readonly method: string; readonly path: string; readonly body?: string };
  readonly response: { readonly status?: number; readonly body?: string };
};

/** A key that names a subject, as a chain or a proposal: all of them are one field. */
const keyOf = (key: string): string => (/^(?:\d+|\$[A-Z]+|[PXC]|[1-9A-HJ-NP-Za-km-z]{43,52})$/.test(key) ? "*" : key);

const below = (tree: Tree, key: string): Tree => {
  const known = tree.get(key) ?? new Map<string, Tree>();
  tree.set(key, known);
  return known;
};

function add(tree: Tree, value: unknown): void {
  if (tree.has(ANY) || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const each of value) add(tree, each);
  else for (const [key, field] of Object.entries(value)) add(below(tree, keyOf(key)), field);
}

/** The JSON of a text; `undefined` for another text. */
function jsonOf(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An exchange about one method: its name, the HTTP status and the JSON that was answered. */
type Recorded = { readonly method: string; readonly status: number; readonly answer: unknown };

/** Every recorded exchange. */
function recorded(): readonly Recorded[] {
  const files = globSync("*.json", { cwd: RECORDINGS }).sort();
  return files.flatMap((file) => {
    const { answers } = JSON.parse(readFileSync(join(RECORDINGS, file), "utf8")) as { answers: readonly Exchange[] };
    return answers.flatMap(({ request: { method, path, body }, response }) => {
      const called = (jsonOf(body) as { readonly method?: string } | undefined)?.method;
      const name = method === "GET" ? `GET ${path.replace(/\?.*/, "")}` : called;
      const isKnown = name !== undefined && METHODS.has(name) && !UNUSED.test(name);
      return isKnown ? [{ method: name, status: response.status ?? 0, answer: jsonOf(response.body) }] : [];
    });
  });
}

/** One name for the methods that answer the same: those of the health API. */
const sameAs = (method: string): string =>
  /^(?:health\.|GET \/ext\/health)/.test(method) ? "GET /ext/health" : method;

function fields(): ReadonlyMap<string, Tree> {
  const trees: Tree = new Map();
  for (const [method, text] of Object.entries(FURTHER))
    for (const path of text.trim().split(/\s+/)) path.split(".").reduce(below, below(trees, method));
  for (const { method, answer } of recorded()) {
    const isCall = !method.startsWith("GET ");
    add(below(trees, sameAs(method)), isCall ? (answer as { readonly result?: unknown } | undefined)?.result : answer);
  }
  for (const [method, text] of Object.entries(NODE_FIELDS))
    for (const { path, sent } of fieldsOf(text)) {
      // An EVM method answers with one value, which the table calls `result`.
      const keys = path
        .replaceAll(/\[\d+\]|^result\.?/g, "")
        .split(".")
        .filter((key) => key !== "");
      let tree = below(trees, sameAs(method.replace(/ \{.*/, "")));
      for (const key of keys) if (!tree.has(ANY)) tree = below(tree, keyOf(key));
      add(tree, jsonOf(sent));
    }
  return trees;
}

const text = (tree: Tree): string =>
  [...tree]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, more]) => (more.size === 0 ? key : `${key}{${text(more)}}`))
    .join(",");

/** Whether an answer refuses the method. */
const isRefusal = ({ status, answer }: Recorded): boolean =>
  status === 404 ||
  /can't find|ill-formed|does not exist|-32601/.test(
    JSON.stringify((answer as { error?: unknown } | undefined)?.error) ?? "",
  );

/** Releases as numbers that compare. */
const rank = (release: string): number => release.split(".").reduce((sum, part) => sum * 1_000 + Number(part), 0);

/** The newest release among the recordings. */
function newest(): string {
  const versions = recorded().flatMap(({ method, answer }) =>
    method === "info.getNodeVersion" ? [/"avalanchego\/([\d.]+)"/.exec(JSON.stringify(answer))?.[1] ?? "0"] : [],
  );
  return versions.toSorted((a, b) => rank(b) - rank(a))[0] ?? "0";
}

/** `src/api/unknown/known-families.ts`: the families of the recorded texts of `/ext/metrics`, by their first two words. */
export function knownFamilies(): string {
  const texts = globSync("*.native-metrics.txt", { cwd: RECORDINGS }).map((file) =>
    readFileSync(join(RECORDINGS, file), "utf8"),
  );
  const names = new Set(
    texts.flatMap((native) => [...native.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name)),
  );
  const split = [...names].sort().map((name) => /^([^_]+_[^_]+)_(.+)$/.exec(name) ?? ["", name, ""]);
  const rows = [...Map.groupBy(split, ([, group]) => group)].map(
    ([group, all]) => `  ${group}: ${JSON.stringify(all.map(([, , rest]) => rest).join(" "))},\n`,
  );
  return `// Generated from the texts in test/recordings; run \`npm run update\`.
/** Families of the node's own metrics, by their first two words. */
export const KNOWN_FAMILIES: Readonly<Record<string, string>> = {
${rows.join("")}};
`;
}

/** `src/api/unknown/known-names.ts`. */
export function knownNames(): string {
  const rows = [...fields()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([method, tree]) => `  ${JSON.stringify(method)}: ${JSON.stringify(text(tree))},\n`);
  const refused = new Set([IGNORED, ...recorded().flatMap((each) => (isRefusal(each) ? [each.method] : []))]);
  return `// Generated from test/recordings, the specification and generate/known-names.ts; run \`npm run update\`.
/** By method, the fields of its answers; \`*\` is an ID or a number, and below \`**\` nothing is compared. */
export const KNOWN_FIELDS: Readonly<Record<string, string>> = {
${rows.join("")}};
/** Methods that a recorded node refuses. */
export const KNOWN_REFUSALS: ReadonlySet<string> = new Set(${JSON.stringify([...refused].sort())});
/** The newest release of AvalancheGo among the recordings. */
export const NEWEST_RELEASE = "${newest()}";
`;
}
