import { durationText } from "../../config/base/durations.ts";
import type { Alert, Cause, Severity } from "../define/alert.ts";

/** What a severity asks of its receiver, with Markdown. */
export const SEVERITY_MEANS: Readonly<Record<Severity, string>> = {
  critical: "**Page**: act now, or lose money or blocks.",
  warning: "**Ticket**: act this week.",
  info: "**Info**: no action is due; read it in working hours.",
  none: "**Never sent**: a state that explains other alerts, such as a restart.",
};

/** When the alert fires, in a sentence. */
export function waitingText({ for: time }: Pick<Alert, "for">): string {
  return isImmediate(time)
    ? "It fires as soon as the expression has a result."
    : `It fires after the expression has had a result for ${durationText(time)}.`;
}

/** Abbreviations in the names of alerts, as people write them. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  api: "API",
  bls: "BLS",
  evm: "EVM",
  id: "ID",
  l1: "L1",
  l1s: "L1s",
  utxo: "UTXO",
};

/** The name of an alert in words: "Node ID duplicated" of `AvaxNodeIdDuplicated`. */
export function nameInWords(name: string): string {
  const parts = name.replace(/^Avax/, "").match(/L1|WebSocket|[A-Z][a-z]*|\d+/g) ?? [name];
  const words = parts.map(
    (part, index) => ABBREVIATIONS[part.toLowerCase()] ?? (index === 0 ? part : part.toLowerCase()),
  );
  return words.join(" ").replace("websocket", "WebSocket");
}

/** Whether a Prometheus duration is 0. */
export function isImmediate(duration: string): boolean {
  return /^0[smh]?$/.test(duration);
}

/** The alerts that often cause this one, each once, without those that explain every alert. */
export function frequentCauses({ explainedBy = [] }: Alert): readonly Cause[] {
  const often = explainedBy.filter(({ alert }) => alert !== "AvaxExporterAbsent");
  return [...new Map(often.map((cause) => [cause.alert, cause])).values()];
}

/** A choice between two texts without a choice. */
export const CHOICE =
  /\{\{ if (?:(?!\}\}).)*\}\}((?:(?!\{\{ (?:if|else|end)).)*)(?:\{\{ else \}\}((?:(?!\{\{ (?:if|end)).)*))?\{\{ end \}\}/g;

/** A template in readable form: placeholders become slanted words, and a choice all of its texts. */
export function inWords(template: string): string {
  const words = template
    .replaceAll(/\{\{ or \$labels\.name \$labels\.node_id \}\}/g, "*validator*")
    .replaceAll(/\{\{ or \$labels\.subnet_name \$labels\.subnet \}\}/g, "*subnet*")
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "*$1*")
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, "*value*");
  const chosen = (text: string): string =>
    text.replaceAll(CHOICE, (_all, yes: string, no: string | undefined) => (no === undefined ? yes : `${yes} / ${no}`));
  return chosen(chosen(words));
}
