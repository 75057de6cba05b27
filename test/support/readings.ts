import type { Reading } from "../../src/exposition/sample.ts";

/** The series of a text exposition by family, as the exporter's own pages read them. */
export function readingsIn(...texts: readonly string[]): (family: string) => readonly Reading[] {
  const found = new Map<string, Reading[]>();
  for (const line of texts.join("\n").split("\n")) {
    const [, name = "", text = "", value = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === "") continue;
    const labels = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = "", quoted = ""]) => [label, JSON.parse(`"${quoted}"`) as string] as const,
    );
    const sorted = labels.filter(([, of]) => of !== "").sort(([a], [b]) => (a < b ? -1 : 1));
    const reading = { name, labels: Object.fromEntries(sorted), value: Number(value.replace("Inf", "Infinity")) };
    found.set(name, [...(found.get(name) ?? []), reading]);
  }
  return (family) => found.get(family) ?? [];
}
