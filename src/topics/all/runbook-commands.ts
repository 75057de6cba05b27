import type { Alert } from "../define/alert.ts";

/** Placeholders that are not labels of the alert, with their meaning. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "any-node": "a node of the same network that you trust",
  "id-of-node": "the node's ID, as `info.getNodeID` returns it",
  address: "the address watched under this name",
  "address-on-C": "the address of the same key on the C-Chain, `C-avax1…`",
  file: "the configuration of the exporter",
  "top-up": "AVAX, such as 1.33 for 30 days at the least fee",
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

/**
 * The commands of an alert about a node for who is logged in on its machine and has no exporter there. AvalancheGo writes its lines
 * to journald without a priority: only their text has the level.
 */
export function machineCommands({ labels, ofPrometheus, commands }: Alert, port = "9650"): readonly string[] {
  if (!labels.includes("node") || ofPrometheus === true) return [];
  const api = `http://127.0.0.1:${port}/ext`;
  const requests = Object.keys(commands).flatMap((run) => {
    const [, room = "", method = "", params = "{}"] = /^call <node> (\w+)\.(\w+)(?: '([^']*)')?$/.exec(run) ?? [];
    const path = PATHS[room];
    if (path === undefined) return [];
    const body = `{"jsonrpc":"2.0","id":1,"method":"${room}.${method}","params":${params}}`;
    return [`curl -s -H 'Content-Type: application/json' -d '${body}' ${api}/${path}`];
  });
  return [
    "systemctl status avalanchego",
    "journalctl -u avalanchego --since=-1h | grep -E 'WARN|ERROR|FATAL' | tail -n 50",
    `curl -s ${api}/health`,
    ...new Set(requests),
  ];
}

/** A value that is one word of a shell, also inside quotes: others can come from a node and are not put into a command. */
const PLAIN = /^(?:https?:\/\/)?[A-Za-z0-9/[][\w./:[\]@-]*$/;

/** A command with the placeholders that these values fill in. */
export function filledIn(run: string, values: Readonly<Record<string, string | undefined>>): string {
  return run.replaceAll(/<([\w-]+)>/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value !== undefined && PLAIN.test(value) ? value : placeholder;
  });
}
