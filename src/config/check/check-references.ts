import { tokensOf } from "../../api/secrets.ts";
import { type AlertLimit, limitValues } from "../base/alert-limit.ts";
import { complain, type Findings, isComplained, isRecord, type Path, placeOf, valueAt, warn } from "../base/tree.ts";
import { didYouMean, fieldName, quoted, quotedAsWritten, shownKey } from "../base/error-texts.ts";
import { OWN_LABEL } from "../schema/node-section.ts";
import { NOT_PROBED } from "../schema/probe-section.ts";

const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY";

/** What a configuration can name. */
export type KnownNames = {
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
export function checkReferences(root: unknown, known: KnownNames, findings: Findings): void {
  const subnets = itemsAt(root, ["subnets"]);
  const chains = subnets.flatMap(({ path }) => itemsAt(root, [...path, "chains"]));
  checkSubnets(subnets, chains, findings);
  checkNodes(root, subnets, known, findings);
  checkEndpoints(root, known, findings);
  checkAddresses(root, chains, findings);
  checkProbe(root, known, findings);
  checkSeriesLabels(root, known, findings);
  checkAlerts(root, known, findings);
}

type Item = { readonly path: Path; readonly value: Readonly<Record<string, unknown>> };

/** The values in the list at `path`, with their paths; none when it is no list, which the schema reports. */
function valuesAt(root: unknown, path: Path): ReadonlyArray<{ readonly path: Path; readonly value: unknown }> {
  const list = valueAt(root, path);
  return Array.isArray(list) ? list.map((value: unknown, index) => ({ path: [...path, index], value })) : [];
}

function itemsAt(root: unknown, path: Path): Item[] {
  return valuesAt(root, path).filter((item): item is Item => isRecord(item.value));
}

/** The texts in the list at `path` that have no problem, with their paths. */
function textsAt(root: unknown, path: Path, findings: Findings) {
  return valuesAt(root, path).filter(
    (item): item is { path: Path; value: string } =>
      typeof item.value === "string" && !isComplained(findings, item.path),
  );
}

/** The names and IDs of subnets or chains. */
const wordsOf = (items: readonly Item[]): unknown[] => items.flatMap(({ value: { name, id } }) => [name, id]);

/** Adds a problem for every item whose `key` has the same text as an earlier item's. */
function checkUnique(
  items: readonly Item[],
  key: string,
  what: string,
  findings: Findings,
  textOf = (value: Item["value"]): unknown => value[key],
): void {
  const firsts = new Map<string, Path>();
  for (const { path, value } of items) {
    const at = [...path, key];
    const text = textOf(value);
    if (typeof text !== "string" || isComplained(findings, at)) continue;
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, at);
    else {
      const { file, line } = placeOf(findings, first);
      complain(findings, at, `duplicate ${what} ${quotedAsWritten(findings, at, text)}; first used in ${file}:${line}`);
    }
  }
}

/** Adds a problem for every text of a list that is not the name or ID of something that is configured under subnets. */
function checkNames(root: unknown, path: Path, what: string, known: readonly unknown[], findings: Findings): void {
  const names = known.filter((name) => typeof name === "string");
  for (const { path: at, value } of textsAt(root, path, findings)) {
    if (names.includes(value)) continue;
    const help = didYouMean(value, names) || "; configure it under subnets";
    complain(findings, at, `unknown ${what} ${quotedAsWritten(findings, at, value)}${help}`);
  }
}

function checkSubnets(subnets: readonly Item[], chains: readonly Item[], findings: Findings): void {
  checkUnique(subnets, "id", "subnet ID", findings);
  checkUnique(subnets, "name", "subnet name", findings);
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

/** Unique names, references to subnets, suspicious URLs, and the network where shards do not poll the nodes of others for it. */
function checkNodes(
  root: unknown,
  subnets: readonly Item[],
  { sharded = false }: KnownNames,
  findings: Findings,
): void {
  const nodes = itemsAt(root, ["nodes"]);
  const list = valueAt(root, ["nodes"]) ?? [];
  const isHosted = ["data_api", "metrics_api"].some((section) => isRecord(valueAt(root, [section])));
  if (isRecord(root) && Array.isArray(list) && list.length === 0 && !isHosted)
    complain(findings, ["nodes"], "nothing to watch: add a node with name and url under nodes", "key");
  checkUnique(nodes, "name", "node name", findings);
  for (const node of nodes) {
    checkNames(root, [...node.path, "subnets"], "subnet", wordsOf(subnets), findings);
    warnOfUrl(node, findings);
    checkStandby(node, nodes, findings);
    if (sharded && node.value["network"] === undefined)
      complain(findings, node.path, "network is missing: shards do not poll the nodes of other shards for it");
  }
}

/** A standby replaces another node of this configuration. */
function checkStandby(
  { path, value: { name, standby_of: main } }: Item,
  nodes: readonly Item[],
  findings: Findings,
): void {
  if (typeof main !== "string") return;
  const names = nodes.map(({ value }) => value["name"]).filter((each) => typeof each === "string" && each !== name);
  if (names.includes(main)) return;
  const at = [...path, "standby_of"];
  complain(
    findings,
    at,
    `standby_of names ${quotedAsWritten(findings, at, main)}, which is no other node${didYouMean(main, names as string[])}`,
  );
}

function warnOfUrl({ path, value: { url } }: Item, findings: Findings): void {
  const at = [...path, "url"];
  if (typeof url !== "string" || isComplained(findings, at) || !URL.canParse(url)) return;
  if (/\/ext(\/|$)/.test(new URL(url).pathname))
    warn(findings, at, "url contains /ext; remove it, because the exporter appends /ext/…");
  if (tokensOf(url).length > 0)
    warn(
      findings,
      at,
      "the path of url looks like a token: it is masked on every page and in the log, and /sd leaves the node out, because Prometheus would need the path; for the node's own metrics write a scrape job of your own, or send the token as bearer_token_file or in headers",
    );
}

function checkEndpoints(root: unknown, { endpointIds }: KnownNames, findings: Findings): void {
  const endpoints = valueAt(root, ["endpoints"]);
  for (const id of isRecord(endpoints) ? Object.keys(endpoints) : []) {
    if (endpointIds.includes(id)) continue;
    const help = didYouMean(id, endpointIds) || "; docs/reference/endpoints.md lists them";
    complain(findings, ["endpoints", id], `unknown endpoint id ${quoted(shownKey(id))}${help}`, "key");
  }
}

function checkAddresses(root: unknown, chains: readonly Item[], findings: Findings): void {
  const addresses = itemsAt(root, ["watch", "addresses"]);
  // The case of an address `0x…` is a checksum and does not change the account.
  checkUnique(addresses, "address", "address", findings, ({ address }) =>
    typeof address === "string" ? address.toLowerCase() : undefined,
  );
  // The name defaults to the address. Two wallets of one name would share a series.
  const named = addresses.filter(({ path }) => !isComplained(findings, [...path, "address"]));
  checkUnique(named, "name", "wallet name", findings, ({ name, address }) => name ?? address);
  for (const { path } of addresses) checkNames(root, [...path, "chains"], "chain", ["C", ...wordsOf(chains)], findings);
}

/** Rules about modules and targets of `/probe`. */
function checkProbe(root: unknown, { endpointIds, networkEndpointIds = [] }: KnownNames, findings: Findings): void {
  const modules = valueAt(root, ["probe", "modules"]);
  // Hosted services are no nodes.
  const known = endpointIds.filter((id) => !/^(data|metrics)\./.test(id) && !NOT_PROBED.has(id));
  for (const [name, module] of isRecord(modules) ? Object.entries(modules) : [])
    for (const { path, value: id } of textsAt(root, ["probe", "modules", name, "endpoints"], findings)) {
      const help = didYouMean(id, known) || "; docs/reference/endpoints.md lists them";
      if (!known.includes(id))
        complain(findings, path, `${quoted(shownKey(id))} is not an endpoint that can be probed${help}`);
      else if (networkEndpointIds.includes(id) && valueAt(module, ["network"]) !== true)
        complain(findings, path, `${id} is about the whole network; set network: true for this module, or remove it`);
    }
  for (const { path, value } of textsAt(root, ["probe", "targets"], findings))
    if (!/[A-Za-z0-9[]/.test(value.slice(0, value.lastIndexOf(":"))))
      warn(findings, path, "every client of the exporter can make it send requests to any such host");
}

/** Checks the names, values and order of the thresholds in the section `alerts`. */
function checkAlerts(root: unknown, { alertLimits = [] }: KnownNames, findings: Findings): void {
  const section = valueAt(root, ["alerts"]);
  if (!isRecord(section)) return;
  const assignments = Object.entries(section)
    .filter(([name]) => !isComplained(findings, ["alerts", name]))
    .map(([name, value]) => ({
      name,
      text: String(value),
      shown: quotedAsWritten(findings, ["alerts", name], String(value)),
    }));
  for (const { name, at, message } of limitValues(assignments, alertLimits).problems)
    complain(findings, ["alerts", name], message, at);
}

/** Rejects a free label that a series of the exporter has already. */
function checkSeriesLabels(root: unknown, { seriesLabels = [] }: KnownNames, findings: Findings): void {
  for (const { path, value } of textsAt(root, ["labels_on_series"], findings))
    if (seriesLabels.includes(value))
      complain(
        findings,
        path,
        `${fieldName(path)} must be ${OWN_LABEL}; found ${quotedAsWritten(findings, path, value)}`,
      );
}
