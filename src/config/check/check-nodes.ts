import { complain, isComplained, isRecord, placeOf, valueAt, warn, type Findings, type Path } from "../base/tree.ts";
import { tokensOf } from "../../api/url-tokens.ts";
import { nearest } from "../base/nearest.ts";
import { didYouMean, quoted, quotedAsWritten } from "../base/words.ts";

export type Item = { readonly path: Path; readonly value: Readonly<Record<string, unknown>> };

/** The mappings in the list at `path`, with their paths. The schema reports other items. */
export function itemsAt(root: unknown, path: Path): Item[] {
  const list = valueAt(root, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) => (isRecord(value) ? [{ path: [...path, index], value }] : []));
}

/** Adds a problem for every item whose `key` has the same text as an earlier item's. */
export function checkUnique(items: readonly Item[], key: string, what: string, findings: Findings): void {
  for (const { at, text, first } of duplicates(items, key, findings)) {
    const name = quotedAsWritten(findings, at, text);
    complain(findings, at, `duplicate ${what} ${name}; first used ${first}`);
  }
}

/** The texts under `key` that repeat an earlier one, with their paths and the position of the first. */
function* duplicates(items: readonly Item[], key: string, findings: Findings) {
  const firsts = new Map<string, Path>();
  for (const { path, value } of items) {
    const at = [...path, key];
    const text = value[key];
    if (typeof text !== "string" || isComplained(findings, at)) continue;
    const normalized = key === "url" ? text.replace(/\/+$/, "") : text;
    const first = firsts.get(normalized);
    if (first === undefined) firsts.set(normalized, at);
    else yield { at, text, first: where(findings, first, at) };
  }
}

/** The line of an earlier value, with its file where that is another one. */
export function where(findings: Findings, first: Path, second: Path): string {
  const a = placeOf(findings, first);
  return a.file === placeOf(findings, second).file ? `on line ${a.line}` : `in ${a.file}:${a.line}`;
}

/** Rules about nodes that concern several values: unique names, references to subnets, suspicious URLs. */
export function checkNodes(root: unknown, findings: Findings): void {
  const nodes = itemsAt(root, ["nodes"]);
  if (nodes.length === 0 && isRecord(root)) checkEmpty(root, findings);
  checkUnique(nodes, "name", "node name", findings);
  const subnets = itemsAt(root, ["subnets"]);
  for (const node of nodes) {
    checkReferences(node, subnets, findings);
    checkUrl(node, findings);
  }
  for (const { at, first } of duplicates(nodes, "url", findings))
    warn(findings, at, `duplicate url; first used ${first}`);
}

function checkEmpty(root: unknown, findings: Findings): void {
  // A configuration can watch only hosted services.
  if (["data_api", "metrics_api"].some((section) => isRecord(valueAt(root, [section])))) return;
  const list = valueAt(root, ["nodes"]);
  if (list !== null && list !== undefined && !(Array.isArray(list) && list.length === 0)) return;
  // A mistyped `nodes` is reported as an unknown key.
  if (isRecord(root) && Object.keys(root).some((key) => key !== "nodes" && nearest(key, ["nodes"]) !== undefined))
    return;
  complain(findings, ["nodes"], "nothing to watch: add a node with name and url under nodes", "key");
}

function checkReferences({ path, value }: Item, subnets: readonly Item[], findings: Findings): void {
  if (!Array.isArray(value["subnets"])) return;
  const known = subnets
    .flatMap((subnet) => [subnet.value["name"], subnet.value["id"]])
    .filter((name) => typeof name === "string");
  value["subnets"].forEach((reference: unknown, index) => {
    const at = [...path, "subnets", index];
    if (typeof reference !== "string" || reference === "" || isComplained(findings, at)) return;
    const subnet = subnets.find(({ value: { name, id } }) => name === reference || id === reference);
    if (subnet === undefined) {
      const help = didYouMean(reference, known) || "; configure it under subnets";
      complain(findings, at, `unknown subnet ${quotedAsWritten(findings, at, reference)}${help}`);
      return;
    }
    const [theirs, ours] = [subnet.value["network"], value["network"]];
    if (typeof theirs !== "string" || typeof ours !== "string" || theirs === ours) return;
    complain(
      findings,
      at,
      `the subnet is on network ${quoted(theirs)}, the node on ${quoted(ours)}; remove the subnet here or correct a network`,
    );
  });
}

function checkUrl({ path, value }: Item, findings: Findings): void {
  const at = [...path, "url"];
  if (typeof value["url"] !== "string" || isComplained(findings, at) || !URL.canParse(value["url"])) return;
  const { protocol, pathname } = new URL(value["url"]);
  if (/\/ext(\/|$)/.test(pathname))
    warn(findings, at, "url contains /ext; remove it, because the exporter appends /ext/…");
  if (tokensOf(value["url"]).length > 0)
    warn(
      findings,
      at,
      "the path of url looks like a token: it is masked on pages, in /config and in the log, but /sd shows it, because Prometheus needs the path; protect the pages with a password, or send the token as bearer_token_file or in headers",
    );
  if (protocol === "http:" && isRecord(value["tls"])) {
    warn(findings, [...path, "tls"], "tls has no effect: url starts with http://");
  }
}
