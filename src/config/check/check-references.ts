import { OWN_LABEL } from "../schema/node-section.ts";
import { checkNames, checkNodes, checkUnique, itemsAt } from "./check-nodes.ts";
import { checkProbe } from "./check-probe.ts";
import { complain, type Findings, isComplained, isRecord, valueAt } from "../base/tree.ts";
import { didYouMean, fieldName, quoted, quotedAsWritten, shownKey } from "../base/words.ts";
import { type AlertLimit, limitValues } from "../base/alert-limit.ts";

const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY";

/** What a configuration can name. */
export type Known = {
  /** The keys that the section `endpoints` accepts. */
  readonly endpointIds: readonly string[];
  /** Those of them that only facts of whole networks need. */
  readonly networkEndpointIds?: readonly string[];
  /** The values that the section `alerts` accepts. */
  readonly alertLimits?: readonly AlertLimit[];
  /** The labels of all series. */
  readonly seriesLabels?: readonly string[];
  /** Whether several processes share the nodes; every node must then name its network. */
  readonly sharded?: boolean;
};

/**
 * Checks the rules that concern several values. They run even when the schema found problems, and skip values that have one.
 * Do not call it for invalid YAML: a truncated file refers to values that are missing.
 */
export function checkReferences(root: unknown, known: Known, findings: Findings): void {
  const { endpointIds, networkEndpointIds = [], alertLimits = [], seriesLabels = [], sharded = false } = known;
  checkSubnets(root, findings);
  checkNodes(root, findings);
  checkEndpoints(root, endpointIds, findings);
  checkAddresses(root, findings);
  checkProbe(root, endpointIds, networkEndpointIds, findings);
  checkSeriesLabels(root, seriesLabels, findings);
  checkAlerts(root, alertLimits, findings);
  if (sharded) checkNetworks(root, findings);
}

function checkSubnets(root: unknown, findings: Findings): void {
  const subnets = itemsAt(root, ["subnets"]);
  checkUnique(subnets, "id", "subnet ID", findings);
  checkUnique(subnets, "name", "subnet name", findings);
  const chains = subnets.flatMap(({ path }) => itemsAt(root, [...path, "chains"]));
  checkUnique(chains, "id", "blockchain ID", findings);
  checkUnique(chains, "name", "chain name", findings);
  for (const [items, key, reserved] of [
    [subnets, "id", [PRIMARY_NETWORK]],
    [subnets, "name", ["primary"]],
    [chains, "name", ["P", "X", "C"]],
  ] as const)
    for (const { path, value } of items)
      if (reserved.some((each) => each === value[key]))
        complain(findings, [...path, key], "this is reserved for the Primary Network, which is always watched");
}

function checkEndpoints(root: unknown, endpointIds: readonly string[], findings: Findings): void {
  const endpoints = valueAt(root, ["endpoints"]);
  for (const id of isRecord(endpoints) ? Object.keys(endpoints) : []) {
    if (endpointIds.includes(id)) continue;
    const help = didYouMean(id, endpointIds) || "; docs/reference/endpoints.md lists them";
    complain(findings, ["endpoints", id], `unknown endpoint id ${quoted(shownKey(id))}${help}`, "key");
  }
}

function checkAddresses(root: unknown, findings: Findings): void {
  const addresses = itemsAt(root, ["watch", "addresses"]);
  // The case of an address `0x…` is a checksum and does not change the account.
  checkUnique(addresses, "address", "address", findings, ({ address }) =>
    typeof address === "string" ? address.toLowerCase() : undefined,
  );
  // The name defaults to the address. Two wallets of one name would share a series.
  const named = addresses.filter(({ path }) => !isComplained(findings, [...path, "address"]));
  checkUnique(named, "name", "wallet name", findings, ({ name, address }) => name ?? address);
  const chains = itemsAt(root, ["subnets"])
    .flatMap(({ path }) => itemsAt(root, [...path, "chains"]))
    .flatMap(({ value: { name, id } }) => [name, id]);
  for (const { path } of addresses) checkNames(root, [...path, "chains"], "chain", ["C", ...chains], findings);
}

/** Checks the names, values and order of the thresholds in the section `alerts`. */
function checkAlerts(root: unknown, limits: readonly AlertLimit[], findings: Findings): void {
  const section = valueAt(root, ["alerts"]);
  if (!isRecord(section)) return;
  const assignments = Object.entries(section)
    .filter(([name]) => !isComplained(findings, ["alerts", name]))
    .map(([name, value]) => ({
      name,
      text: String(value),
      shown: quotedAsWritten(findings, ["alerts", name], String(value)),
    }));
  for (const { name, at, message } of limitValues(assignments, limits).problems)
    complain(findings, ["alerts", name], message, at);
}

/**
 * Checks that every node of a sharded configuration names its network: a shard polls only its own nodes, so it cannot request
 * the network of the others. Adds one problem for all nodes.
 */
function checkNetworks(root: unknown, findings: Findings): void {
  const [first, ...others] = itemsAt(root, ["nodes"]).filter(({ value }) => value["network"] === undefined);
  if (first === undefined) return;
  complain(
    findings,
    first.path,
    `network is missing (nodes without it: ${others.length + 1}): shards do not poll the nodes of other shards for it`,
  );
}

/** Rejects a free label that a series of the exporter has already. */
function checkSeriesLabels(root: unknown, used: readonly string[], findings: Findings): void {
  const names = valueAt(root, ["labels_on_series"]);
  for (const [index, name] of Array.isArray(names) ? names.entries() : []) {
    const at = ["labels_on_series", index];
    if (typeof name === "string" && used.includes(name) && !isComplained(findings, at))
      complain(findings, at, `${fieldName(at)} must be ${OWN_LABEL}; found ${quotedAsWritten(findings, at, name)}`);
  }
}
