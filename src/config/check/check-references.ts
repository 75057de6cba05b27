import { OWN_LABEL } from "../schema/node-section.ts";
import { checkAddressNetworks } from "./check-address-networks.ts";
import { checkNodes, checkUnique, type Item, itemsAt } from "./check-nodes.ts";
import { checkProbe } from "./check-probe.ts";
import { parseDuration } from "../base/units.ts";
import { checkWatchedValidators } from "./check-watched-validators.ts";
import { complain, type Findings, isComplained, isRecord, valueAt, warn } from "../base/tree.ts";
import { didYouMean, fieldName, oneOf, quoted, quotedAsWritten, shownKey } from "../base/words.ts";
import { type AlertLimit, limitValues } from "../base/alert-limit.ts";

const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY";
const PRIMARY_CHAINS = ["P", "X", "C"];

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
  checkWatchedValidators(root, findings);
  checkAddresses(root, findings);
  checkAddressNetworks(root, findings);
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
  for (const { path, value } of subnets) {
    if (value["id"] === PRIMARY_NETWORK)
      complain(findings, [...path, "id"], "the Primary Network is always watched; remove it from subnets");
    if (value["name"] === "primary")
      complain(findings, [...path, "name"], "the name primary is reserved for the Primary Network; choose another one");
  }
  for (const { path, value } of chains) {
    const name = value["name"];
    if (typeof name !== "string" || !PRIMARY_CHAINS.includes(name)) continue;
    complain(
      findings,
      [...path, "name"],
      "the chain names P, X and C are reserved for the Primary Network; choose another one",
    );
  }
}

function checkEndpoints(root: unknown, endpointIds: readonly string[], findings: Findings): void {
  const endpoints = valueAt(root, ["endpoints"]);
  if (!isRecord(endpoints)) return;
  for (const [id, settings] of Object.entries(endpoints)) {
    const path = ["endpoints", id];
    if (!endpointIds.includes(id)) {
      const help = didYouMean(id, endpointIds) || `; expected ${oneOf([...endpointIds].sort())}`;
      complain(findings, path, `unknown endpoint id ${quoted(shownKey(id))}${help}`, "key");
    }
    if (!isRecord(settings) || typeof settings["every"] !== "string" || typeof settings["timeout"] !== "string")
      continue;
    const at = [...path, "timeout"];
    const [every, timeout] = [parseDuration(settings["every"]), parseDuration(settings["timeout"])];
    if (every === undefined || timeout === undefined || timeout <= every || isComplained(findings, at)) continue;
    warn(findings, at, "timeout is longer than every: polls are skipped while a slow one is running");
  }
}

/** The case of an address `0x…` is a checksum and does not change the account. */
function inLowerCase({ path, value }: Item): Item {
  const { address } = value;
  const isHex = typeof address === "string" && address.startsWith("0x");
  return isHex ? { path, value: { ...value, address: address.toLowerCase() } } : { path, value };
}

const withDefaultName = ({ path, value }: Item): Item => ({
  path,
  value: { ...value, name: value["name"] ?? value["address"] },
});

function checkAddresses(root: unknown, findings: Findings): void {
  const addresses = itemsAt(root, ["watch", "addresses"]);
  checkUnique(addresses.map(inLowerCase), "address", "address", findings);
  // The name defaults to the address. Two wallets of one name would share a series.
  const named = addresses.filter(({ path }) => !isComplained(findings, [...path, "address"]));
  checkUnique(named.map(withDefaultName), "name", "wallet name", findings);
  const chains = itemsAt(root, ["subnets"])
    .flatMap(({ path }) => itemsAt(root, [...path, "chains"]))
    .flatMap(({ value }) => [value["name"], value["id"]])
    .filter((name) => typeof name === "string");
  for (const { path, value } of addresses) {
    const wanted: unknown = value["chains"];
    if (!Array.isArray(wanted)) continue;
    if (typeof value["address"] === "string" && !value["address"].startsWith("0x") && wanted.length > 0)
      complain(findings, [...path, "chains"], "chains applies to addresses 0x… only; remove it");
    wanted.forEach((name: unknown, index) => {
      if (typeof name !== "string" || name === "C" || chains.includes(name)) return;
      const help = didYouMean(name, ["C", ...chains]) || "; use C or a chain under subnets";
      complain(findings, [...path, "chains", index], `unknown chain ${quoted(name)}${help}`);
    });
  }
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
      shown:
        typeof value === "number" ? `the number ${value}` : quotedAsWritten(findings, ["alerts", name], String(value)),
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
  const more = others.length === 0 ? "" : ` and on ${others.length} more ${others.length === 1 ? "node" : "nodes"}`;
  complain(
    findings,
    first.path,
    `network is missing on this node${more}: shards do not poll the nodes of other shards for it`,
  );
}

/** Rejects a free label that a series of the exporter has already. */
function checkSeriesLabels(root: unknown, used: readonly string[], findings: Findings): void {
  const names = valueAt(root, ["labels_on_series"]);
  (Array.isArray(names) ? (names as unknown[]) : []).forEach((name, index) => {
    const at = ["labels_on_series", index];
    if (typeof name !== "string" || !used.includes(name) || isComplained(findings, at)) return;
    complain(findings, at, `${fieldName(at)} must be ${OWN_LABEL}; found ${quotedAsWritten(findings, at, name)}`);
  });
}
