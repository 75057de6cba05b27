import { countedAs } from "../finding.ts";
import { nodeOf } from "./history-entry.ts";
import type { History } from "./observe.ts";

/** The states of a slot, the worst last. What is unknown hides a mere information, and no warning. */
export const STATES = ["ok", "info", "unknown", "warning", "critical"] as const;
export type StripState = (typeof STATES)[number];

export type Strips = {
  readonly slotSeconds: number;
  readonly slotsFrom: number;
  readonly strips: ReadonlyArray<{ readonly node: string; readonly slots: readonly StripState[] }>;
};

/** A time without observation; without `node` of all nodes, without `to` not over. Unix seconds. */
export type Gap = { readonly node?: string; readonly from: number; readonly to?: number | undefined };

/** Seconds: four an hour. */
const SLOT = 900;
/** A restart of the exporter that takes less than this hides nothing: an alert needs longer. Seconds. */
const SHORT = 60;

/** The times of which nothing is known, since `from`, oldest first. */
export function unknownOf(history: History, from: number, now: number): readonly Gap[] {
  return [...unrecorded(history, from, now), ...gapsOf(history, from, now)].sort((a, b) => a.from - b.from);
}

/** The time before the record begins, and for each node that joined later the time until then. */
function unrecorded({ nodes, completeSince }: History, from: number, now: number) {
  const known = Math.max(from, completeSince ?? now);
  const late = [...nodes].map(([node, { firstSeen }]) => ({ node, from: known, to: firstSeen }));
  return [{ from, to: known }, ...late].filter((each) => each.to > each.from);
}

function gapsOf({ entries }: History, from: number, now: number): readonly Gap[] {
  const recent = entries.filter(({ to = now }) => to > from);
  return recent.flatMap((entry): readonly Gap[] => {
    const { kind, from: start, to } = entry;
    if (kind === "unanswered") return [{ node: entry.node, from: start, to }];
    const isGap = (kind === "started" || kind === "unevaluated") && (to ?? now) - start >= SHORT;
    return isGap ? [{ from: start, to }] : [];
  });
}

/** The worst state of each slot, by node. Slots are whole quarters of an hour; the last one is not over. */
export function stripsOf(history: History, nodes: readonly string[], since: number, now: number): Strips {
  const from = Math.floor(since / SLOT) * SLOT;
  const length = Math.max(1, Math.ceil((now - from) / SLOT));
  // The slot in which the record begins is known: with minutes of record a well node would be grey up to now.
  const whole = unrecorded(history, from, now)
    .map((each): Gap => ({ ...each, to: each.to - ((each.to - from) % SLOT) }))
    .filter(({ from: start, to = now }) => to > start);
  const gaps = Map.groupBy([...whole, ...gapsOf(history, from, now)], ({ node }) => node);
  const problems = Map.groupBy(
    history.entries.filter((entry) => entry.kind === "problem"),
    nodeOf,
  );
  const strips = nodes.map((node) => {
    const levels = Array.from({ length }, () => 0);
    /** A time that ends with a slot does not touch the next one. */
    const raise = (start: number, end: number | undefined, state: StripState): void => {
      const to = Math.min(end ?? now, now);
      if (to < from || (to === from && start < from)) return;
      const first = Math.max(0, Math.floor((start - from) / SLOT));
      const last = Math.max(first, Math.ceil((to - from) / SLOT) - 1);
      for (let index = first; index <= last && index < length; index += 1)
        levels[index] = Math.max(levels[index] ?? 0, STATES.indexOf(state));
    };
    for (const gap of [undefined, node].flatMap((each) => gaps.get(each) ?? [])) raise(gap.from, gap.to, "unknown");
    for (const { from: start, to, unknownSince, severity } of problems.get(node) ?? [])
      raise(start, to ?? unknownSince, countedAs(severity));
    return { node, slots: levels.map((level) => STATES[level] ?? "unknown") };
  });
  return { slotSeconds: SLOT, slotsFrom: from, strips };
}
