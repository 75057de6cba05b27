import { countedAs } from "../finding.ts";
import { nodeOf } from "./entry.ts";
import type { History } from "./history.ts";

/** The states of a slot, the worst last. What is unknown hides a mere information, and no warning. */
export const STATES = ["ok", "info", "unknown", "warning", "critical"] as const;
export type State = (typeof STATES)[number];

/** A time without observation; without `node` of all nodes, without `to` not over. Unix seconds. */
export type Unknown = { readonly node?: string; readonly from: number; readonly to?: number };

/** Slots of `SLOT`, of which the last one is not over. Unix seconds. */
export type Slots = { readonly from: number; readonly to: number };

/** Seconds: four an hour. */
export const SLOT = 900;
/** A restart of the exporter that takes less than this hides nothing: an alert needs longer. Seconds. */
const SHORT = 60;

/** The slots from `from` to `now`, aligned to whole quarters of an hour. */
export function slotsOf(from: number, now: number): Slots {
  return { from: Math.floor(from / SLOT) * SLOT, to: now };
}

/** The times of which nothing is known, since `from`, oldest first. */
export function unknownOf({ entries, nodes, completeSince }: History, from: number, now: number): readonly Unknown[] {
  const known = Math.max(from, completeSince ?? now);
  const gaps = entries.flatMap(({ kind, from: start, to, ...entry }): readonly Unknown[] => {
    if (kind === "unanswered" && "node" in entry) return [{ node: entry.node, ...spanOf(start, to) }];
    const isGap = (kind === "started" || kind === "unevaluated") && (to ?? now) - start >= SHORT;
    return isGap ? [spanOf(start, to)] : [];
  });
  const late = [...nodes].filter(([, { firstSeen }]) => firstSeen > known);
  return [
    ...(known > from ? [{ from, to: known }] : []),
    ...late.map(([node, { firstSeen }]) => ({ node, from: known, to: firstSeen })),
    ...gaps.filter(({ to = now }) => to > from),
  ].sort((a, b) => a.from - b.from);
}

function spanOf(from: number, to: number | undefined): Unknown {
  return to === undefined ? { from } : { from, to };
}

/** The worst state of each slot, by node. */
export function stripsOf(
  history: History,
  nodes: readonly string[],
  slots: Slots,
): ReadonlyMap<string, readonly State[]> {
  const { from, to: now } = slots;
  const unknown = unknownOf(history, from, now).flatMap((gap) => wholeSlots(gap, history, slots));
  const ofNode = Map.groupBy(unknown, ({ node }) => node);
  const problems = Map.groupBy(
    history.entries.filter((entry) => entry.kind === "problem"),
    nodeOf,
  );
  return new Map(
    nodes.map((node) => {
      const strip = Array.from({ length: Math.max(1, Math.ceil((now - from) / SLOT)) }, () => 0);
      for (const gap of [undefined, node].flatMap((each) => ofNode.get(each) ?? [])) mark(strip, gap, "unknown", slots);
      for (const { from: start, to, unknownSince, severity } of problems.get(node) ?? [])
        mark(strip, { from: start, to: to ?? unknownSince }, countedAs(severity), slots);
      return [node, strip.map((level) => STATES[level] ?? "unknown")] as const;
    }),
  );
}

/** The slot in which the record begins is known: with minutes of record a well node would be grey up to now. */
function wholeSlots(gap: Unknown, { completeSince, nodes }: History, { from }: Slots): readonly Unknown[] {
  const begins = gap.node === undefined ? completeSince : nodes.get(gap.node)?.firstSeen;
  if (gap.to === undefined || gap.to !== begins) return [gap];
  const to = from + Math.floor((gap.to - from) / SLOT) * SLOT;
  return to > gap.from ? [{ ...gap, to }] : [];
}

/** Raises the slots of a time to a state. A time that ends with a slot does not touch the next one. */
function mark(
  strip: number[],
  span: { readonly from: number; readonly to?: number | undefined },
  state: State,
  slots: Slots,
): void {
  const { from, to: now } = slots;
  const level = STATES.indexOf(state);
  const to = Math.min(span.to ?? now, now);
  if (to < from || (to === from && span.from < from)) return;
  const first = Math.max(0, Math.floor((span.from - from) / SLOT));
  const last = Math.max(first, Math.ceil((to - from) / SLOT) - 1);
  for (let index = first; index <= last && index < strip.length; index += 1)
    strip[index] = Math.max(strip[index] ?? 0, level);
}
