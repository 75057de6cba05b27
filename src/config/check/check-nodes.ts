import { complain, isComplained, isRecord, placeOf, valueAt, warn, type Findings, type Path } from "../base/tree.ts";
import { tokensOf } from "../../api/secrets.ts";
import { didYouMean, quotedAsWritten } from "../base/words.ts";

export type Item = { readonly path: Path; readonly value: Readonly<Record<string, unknown>> };

/** The mappings in the list at `path`, with their paths. The schema reports other items. */
export function itemsAt(root: unknown, path: Path): Item[] {
  const list = valueAt(root, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) => (isRecord(value) ? [{ path: [...path, index], value }] : []));
}

/** Adds a problem for every item whose `key` has the same text as an earlier item's. */
export function checkUnique(
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
export function checkNames(
  root: unknown,
  path: Path,
  what: string,
  known: readonly unknown[],
  findings: Findings,
): void {
  const list = valueAt(root, path);
  const names = known.filter((name) => typeof name === "string");
  for (const [index, name] of Array.isArray(list) ? list.entries() : []) {
    const at = [...path, index];
    if (typeof name !== "string" || names.includes(name) || isComplained(findings, at)) continue;
    const help = didYouMean(name, names) || "; configure it under subnets";
    complain(findings, at, `unknown ${what} ${quotedAsWritten(findings, at, name)}${help}`);
  }
}

/** Rules about nodes that concern several values: unique names, references to subnets, suspicious URLs. */
export function checkNodes(root: unknown, findings: Findings): void {
  const nodes = itemsAt(root, ["nodes"]);
  const list = valueAt(root, ["nodes"]) ?? [];
  const isHosted = ["data_api", "metrics_api"].some((section) => isRecord(valueAt(root, [section])));
  if (isRecord(root) && Array.isArray(list) && list.length === 0 && !isHosted)
    complain(findings, ["nodes"], "nothing to watch: add a node with name and url under nodes", "key");
  checkUnique(nodes, "name", "node name", findings);
  const known = itemsAt(root, ["subnets"]).flatMap(({ value: { name, id } }) => [name, id]);
  for (const node of nodes) {
    checkNames(root, [...node.path, "subnets"], "subnet", known, findings);
    warnOfUrl(node, findings);
  }
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
      "the path of url looks like a token: it is masked on pages, in /config and in the log, but /sd shows it, because Prometheus needs the path; protect the pages with a password, or send the token as bearer_token_file or in headers",
    );
}
