import { tokensOf } from "../../api/hide-secrets.ts";
import { type AlertLimit, limitValues } from "../base/alert-limit.ts";
import { placeOf, warning, type ConfigFinding, type Tree } from "../base/config-finding.ts";
import { isRecord, valueAt, type Path } from "../base/value-at.ts";
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
 * Checks the rules that concern several values. They run even when the schema found problems.
 * Do not call it for invalid YAML: a truncated file refers to values that are missing.
 */
export function* checkReferences(tree: Tree, known: KnownNames): Iterable<ConfigFinding> {
  const subnets = itemsAt(tree, ["subnets"]);
  const chains = subnets.flatMap(({ path }) => itemsAt(tree, [...path, "chains"]));
  yield* checkSubnets(tree, subnets, chains);
  yield* checkNodes(tree, subnets, known);
  yield* checkEndpoints(tree, known);
  yield* checkAddresses(tree, chains);
  yield* checkProbe(tree, known);
  yield* checkSeriesLabels(tree, known);
  yield* checkAlerts(tree, known);
}

type Item = { readonly path: Path; readonly value: Readonly<Record<string, unknown>> };

/** The values in the list at `path`, with their paths; none when it is no list, which the schema reports. */
function valuesAt({ value: root }: Tree, path: Path): ReadonlyArray<{ readonly path: Path; readonly value: unknown }> {
  const list = valueAt(root, path);
  return Array.isArray(list) ? list.map((value: unknown, index) => ({ path: [...path, index], value })) : [];
}

function itemsAt(tree: Tree, path: Path): readonly Item[] {
  return valuesAt(tree, path).filter((item): item is Item => isRecord(item.value));
}

type Text = { readonly path: Path; readonly value: string };

/** The texts in the list at `path`, with their paths. */
function textsAt(tree: Tree, path: Path): readonly Text[] {
  return valuesAt(tree, path).filter((item): item is Text => typeof item.value === "string");
}

/** The names and IDs of subnets or chains. */
const wordsOf = (items: readonly Item[]): unknown[] => items.flatMap(({ value: { name, id } }) => [name, id]);

/** Finds every item whose `key` has the same text as an earlier item's. */
function* checkUnique(
  tree: Tree,
  items: readonly Item[],
  key: string,
  what: string,
  textOf = (value: Item["value"]): unknown => value[key],
): Iterable<ConfigFinding> {
  const firsts = new Map<string, Path>();
  for (const { path, value } of items) {
    const at = [...path, key];
    const text = textOf(value);
    if (typeof text !== "string") continue;
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, at);
    else {
      const { file, line } = placeOf(tree, first);
      const message = `duplicate ${what} ${quotedAsWritten(tree, at, text)}; first used in ${file}:${line}`;
      yield { path: at, message };
    }
  }
}

/** Finds every text of a list that is not the name or ID of something that is configured under subnets. */
function* checkNames(tree: Tree, path: Path, what: string, known: readonly unknown[]): Iterable<ConfigFinding> {
  const names = known.filter((name) => typeof name === "string");
  for (const { path: at, value } of textsAt(tree, path)) {
    if (names.includes(value)) continue;
    const help = didYouMean(value, names) || "; configure it under subnets";
    yield { path: at, message: `unknown ${what} ${quotedAsWritten(tree, at, value)}${help}` };
  }
}

function* checkSubnets(tree: Tree, subnets: readonly Item[], chains: readonly Item[]): Iterable<ConfigFinding> {
  yield* checkUnique(tree, subnets, "id", "subnet ID");
  yield* checkUnique(tree, subnets, "name", "subnet name");
  yield* checkUnique(tree, chains, "id", "blockchain ID");
  yield* checkUnique(tree, chains, "name", "chain name");
  for (const [items, key, reserved] of [
    [subnets, "id", [PRIMARY_NETWORK]],
    [subnets, "name", ["primary"]],
    [chains, "name", ["P", "X", "C"]],
  ] as const)
    for (const { path, value } of items)
      if (reserved.some((each) => each === value[key]))
        yield { path: [...path, key], message: "this is reserved for the Primary Network, which is always watched" };
}

/** Unique names, references to subnets, suspicious URLs, and the network where shards do not poll the nodes of others for it. */
function* checkNodes(tree: Tree, subnets: readonly Item[], { sharded = false }: KnownNames): Iterable<ConfigFinding> {
  const nodes = itemsAt(tree, ["nodes"]);
  const list = valueAt(tree.value, ["nodes"]) ?? [];
  const isHosted = ["data_api", "metrics_api"].some((section) => isRecord(valueAt(tree.value, [section])));
  if (isRecord(tree.value) && Array.isArray(list) && list.length === 0 && !isHosted)
    yield { path: ["nodes"], at: "key", message: "nothing to watch: add a node with name and url under nodes" };
  yield* checkUnique(tree, nodes, "name", "node name");
  for (const node of nodes) {
    yield* checkNames(tree, [...node.path, "subnets"], "subnet", wordsOf(subnets));
    yield* checkUrl(node);
    yield* checkStandby(tree, node, nodes);
    if (sharded && node.value["network"] === undefined)
      yield { path: node.path, message: "network is missing: shards do not poll the nodes of other shards for it" };
  }
}

/** A standby replaces another node of this configuration. */
function* checkStandby(
  tree: Tree,
  { path, value: { name, standby_of: main } }: Item,
  nodes: readonly Item[],
): Iterable<ConfigFinding> {
  if (typeof main !== "string") return;
  const names = nodes.map(({ value }) => value["name"]).filter((each) => typeof each === "string" && each !== name);
  if (names.includes(main)) return;
  const at = [...path, "standby_of"];
  const help = didYouMean(main, names as string[]);
  yield { path: at, message: `standby_of names ${quotedAsWritten(tree, at, main)}, which is no other node${help}` };
}

function* checkUrl({ path: node, value: { url } }: Item): Iterable<ConfigFinding> {
  const path = [...node, "url"];
  if (typeof url !== "string" || !URL.canParse(url)) return;
  if (/\/ext(\/|$)/.test(new URL(url).pathname))
    yield warning(path, "url contains /ext; remove it, because the exporter appends /ext/…");
  if (tokensOf(url).length > 0)
    yield warning(
      path,
      "the path of url looks like a token: it is masked on every page and in the log, and /sd leaves the node out, because Prometheus would need the path; for the node's own metrics write a scrape job of your own, or send the token as bearer_token_file or in headers",
    );
}

function* checkEndpoints({ value: root }: Tree, { endpointIds }: KnownNames): Iterable<ConfigFinding> {
  const endpoints = valueAt(root, ["endpoints"]);
  for (const id of isRecord(endpoints) ? Object.keys(endpoints) : []) {
    if (endpointIds.includes(id)) continue;
    const help = didYouMean(id, endpointIds) || "; docs/reference/endpoints.md lists them";
    yield { path: ["endpoints", id], at: "unknown key", message: `unknown endpoint id ${quoted(shownKey(id))}${help}` };
  }
}

function* checkAddresses(tree: Tree, chains: readonly Item[]): Iterable<ConfigFinding> {
  const addresses = itemsAt(tree, ["watch", "addresses"]);
  // The case of an address `0x…` is a checksum and does not change the account.
  const accountOf = ({ address }: Item["value"]): unknown =>
    typeof address === "string" ? address.toLowerCase() : undefined;
  yield* checkUnique(tree, addresses, "address", "address", accountOf);
  // The name defaults to the address. Two wallets of one name would share a series.
  const wallets = [...Map.groupBy(addresses, ({ value }) => accountOf(value) ?? value).values()].flatMap(
    ([first = []]) => first,
  );
  yield* checkUnique(tree, wallets, "name", "wallet name", ({ name, address }) => name ?? address);
  for (const { path } of addresses) yield* checkNames(tree, [...path, "chains"], "chain", ["C", ...wordsOf(chains)]);
}

/** Rules about modules and targets of `/probe`. */
function* checkProbe(tree: Tree, { endpointIds, networkEndpointIds = [] }: KnownNames): Iterable<ConfigFinding> {
  const modules = valueAt(tree.value, ["probe", "modules"]);
  // Hosted services are no nodes.
  const known = endpointIds.filter((id) => !/^(data|metrics)\./.test(id) && !NOT_PROBED.has(id));
  for (const [name, module] of isRecord(modules) ? Object.entries(modules) : [])
    for (const { path, value: id } of textsAt(tree, ["probe", "modules", name, "endpoints"])) {
      const help = didYouMean(id, known) || "; docs/reference/endpoints.md lists them";
      if (!known.includes(id))
        yield { path, message: `${quoted(shownKey(id))} is not an endpoint that can be probed${help}` };
      else if (networkEndpointIds.includes(id) && valueAt(module, ["network"]) !== true)
        yield { path, message: `${id} is about the whole network; set network: true for this module, or remove it` };
    }
  for (const { path, value } of textsAt(tree, ["probe", "targets"]))
    if (!/[A-Za-z0-9[]/.test(value.slice(0, value.lastIndexOf(":"))))
      yield warning(path, "every client of the exporter can make it send requests to any such host");
}

/** Checks the names, values and order of the thresholds in the section `alerts`. */
function* checkAlerts(tree: Tree, { alertLimits = [] }: KnownNames): Iterable<ConfigFinding> {
  const section = valueAt(tree.value, ["alerts"]);
  if (!isRecord(section)) return;
  const assignments = Object.entries(section).map(([name, value]) => {
    const text = String(value);
    return { name, text, shown: quotedAsWritten(tree, ["alerts", name], text) };
  });
  for (const { name, at, message } of limitValues(assignments, alertLimits).problems)
    yield { path: ["alerts", name], message, ...(at === "key" ? { at } : {}) };
}

/** Rejects a free label that a series of the exporter has already. */
function* checkSeriesLabels(tree: Tree, { seriesLabels = [] }: KnownNames): Iterable<ConfigFinding> {
  for (const { path, value } of textsAt(tree, ["labels_on_series"]))
    if (seriesLabels.includes(value))
      yield { path, message: `${fieldName(path)} must be ${OWN_LABEL}; found ${quotedAsWritten(tree, path, value)}` };
}
