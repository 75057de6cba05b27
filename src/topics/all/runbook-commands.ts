import type { Alert } from "../define/alert.ts";

/** Placeholders that are not labels of the alert, with their meaning. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "any-node": "a node of the same network that you trust",
  "id-of-node": "the node's ID, as `info.getNodeID` returns it",
  address: "the address watched under this name",
  "address-on-C": "the address of the same key on the C-Chain, `C-avax1…`",
  file: "the configuration of the exporter",
};

/** Words in angle brackets, without duplicates. */
export function placeholdersOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/<([\w-]+)>/g)].map(([, name = ""]) => name))];
}

/** The meaning of the placeholders in these commands, in one sentence with Markdown; empty without placeholders. */
export function placeholdersText(commands: readonly string[]): string {
  const names = placeholdersOf(commands.join(" "));
  const labels = names.filter((name) => PLACEHOLDERS[name] === undefined && name !== "node");
  const isNode = names.includes("node") || names.includes("any-node");
  const parts = [
    ...(names.includes("node") ? ["`<node>` is the node of the alert"] : []),
    ...names.flatMap((name) => (PLACEHOLDERS[name] === undefined ? [] : [`\`<${name}>\` is ${PLACEHOLDERS[name]}`])),
    ...(isNode ? ["name a node as in the configuration (with `--config.file=…`) or by its URL"] : []),
    ...(labels.length > 0 ? [`${labels.map((name) => `\`<${name}>\``).join(", ")}: as in the alert`] : []),
  ];
  return parts.length === 0 ? "" : `${parts.join("; ")}.`;
}

/** The path of a node's API by the first part of a method's name. */
const PATHS: Readonly<Record<string, string>> = { info: "info", health: "health", platform: "bc/P" };

/** The commands of an alert about a node for who is logged in on its machine and has no exporter there. */
export function machineCommands({ labels, ofPrometheus, commands }: Alert): readonly string[] {
  if (!labels.includes("node") || ofPrometheus === true) return [];
  const requests = Object.keys(commands).flatMap((run) => {
    const [, api = "", method = "", params = "{}"] = /^call <node> (\w+)\.(\w+)(?: '([^']*)')?$/.exec(run) ?? [];
    const path = PATHS[api];
    if (path === undefined) return [];
    const body = `{"jsonrpc":"2.0","id":1,"method":"${api}.${method}","params":${params}}`;
    return [`curl -s -H 'Content-Type: application/json' -d '${body}' http://127.0.0.1:9650/ext/${path}`];
  });
  return [
    "systemctl status avalanchego",
    "journalctl -u avalanchego --since=-1h --priority=warning",
    "curl -s http://127.0.0.1:9650/ext/health",
    ...new Set(requests),
  ];
}

/** A label value that is one word of a shell: others can come from a node and are not put into a command. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** A command with the placeholders that these labels fill in. */
export function filledIn(run: string, labels: Readonly<Record<string, string>>): string {
  return run.replaceAll(/<([\w-]+)>/g, (placeholder, name: string) => {
    const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
    return value !== undefined && PLAIN.test(value) ? value : placeholder;
  });
}
