import type { Alert } from "../catalogue/alert.ts";

/** Placeholders that are not labels of the alert, with their meaning. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "any-node": "a node of the same network that you trust",
  "id-of-node": "the node's ID, as `info.getNodeID` returns it",
  address: "the address watched under this name",
  "address-on-C": "the address of the same key on the C-Chain, `C-avax1…`",
  file: "the configuration of the exporter",
};

/** The commands of a runbook with their expected answers and the meaning of their placeholders. */
export function commandsText({ runbook: { commands } }: Alert): string {
  const shown = commands.map(({ run, see }) => `\`\`\`sh\navax-exporter ${run}\n\`\`\`\n\n${see}`);
  return [...shown, fillIn(commands.map(({ run }) => run).join(" "))].filter((part) => part !== "").join("\n\n");
}

/** Words in angle brackets, without duplicates. */
export function placeholdersOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/<([\w-]+)>/g)].map(([, name = ""]) => name))];
}

function fillIn(text: string): string {
  const names = placeholdersOf(text);
  const labels = names.filter((name) => PLACEHOLDERS[name] === undefined && name !== "node");
  const isNode = names.includes("node") || names.includes("any-node");
  const sentences = [
    ...(names.includes("node") ? ["`<node>` is the node of the alert"] : []),
    ...names.flatMap((name) => (PLACEHOLDERS[name] === undefined ? [] : [`\`<${name}>\` is ${PLACEHOLDERS[name]}`])),
    ...(isNode ? ["name a node as in the configuration (with `--config.file=…`) or by its URL"] : []),
    ...(labels.length > 0 ? [`${labels.map((name) => `\`<${name}>\``).join(", ")}: as in the alert`] : []),
  ];
  return sentences.length === 0 ? "" : `*${sentences.join("; ")}.*`;
}
