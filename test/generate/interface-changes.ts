import type { Interface } from "../../generate/interface.ts";

/** What a release changes about the public interface, and whether the changelog names it. */

/** A difference between two versions of the interface. `subject` is the name that the changelog must contain. */
export type Change = {
  readonly kind: "added" | "changed" | "removed";
  readonly subject: string;
  /** What the subject is, and what changed about it. */
  readonly text: string;
};

/** The differences of two versions, by list and name. A rename is a removal and an addition; the order of labels is ignored. */
export function interfaceChanges(before: Interface, after: Interface): readonly Change[] {
  return [
    ...changesOf("family", before.families, after.families, "type"),
    ...changesOf("alert", before.alerts, after.alerts, "severity"),
    ...changesOf("recording rule", before.recordings, after.recordings),
    ...changesOf("configuration key", keys(before), keys(after)),
  ];
}

type Entry = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly type?: string;
  readonly severity?: string;
};

function keys({ configuration }: Interface): readonly Entry[] {
  return configuration.map((name) => ({ name, labels: [] }));
}

function changesOf(
  what: string,
  before: readonly Entry[],
  after: readonly Entry[],
  field?: "type" | "severity",
): readonly Change[] {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const present = new Set(after.map(({ name }) => name));
  const change = (kind: Change["kind"], { name }: Entry, how = ""): Change => ({
    kind,
    subject: name,
    text: `${what} ${name}${how}`,
  });
  return [
    ...after.filter(({ name }) => !old.has(name)).map((entry) => change("added", entry)),
    ...after.flatMap((entry) => {
      const previous = old.get(entry.name);
      return previous === undefined
        ? []
        : differences(previous, entry, field).map((how) => change("changed", entry, `: ${how}`));
    }),
    ...before.filter(({ name }) => !present.has(name)).map((entry) => change("removed", entry)),
  ];
}

function differences(before: Entry, after: Entry, field: "type" | "severity" | undefined): readonly string[] {
  const added = after.labels.filter((label) => !before.labels.includes(label));
  const removed = before.labels.filter((label) => !after.labels.includes(label));
  return [
    ...(field !== undefined && before[field] !== after[field]
      ? [`${field} ${before[field]} is now ${after[field]}`]
      : []),
    ...added.map((label) => `label ${label} added`),
    ...removed.map((label) => `label ${label} removed`),
  ];
}

/** A difference as a line of output. */
export function changeLine({ kind, text }: Change): string {
  return `${kind}: ${text}`;
}

/** The differences whose subject the unreleased section of the changelog does not name. */
export function unnamedChanges(changes: readonly Change[], changelog: string): readonly Change[] {
  const section = unreleasedSection(changelog);
  return changes.filter(({ subject }) => !isNamedIn(section, subject));
}

/** The first section of the changelog if its heading contains "unreleased", else nothing. */
function unreleasedSection(changelog: string): string {
  const [, first = ""] = changelog.split(/^(?=## )/m);
  const [heading = ""] = first.split("\n", 1);
  return /unreleased/i.test(heading) ? first : "";
}

/** Whether the text contains the name, not as a part of a longer name. */
function isNamedIn(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w:])${RegExp.escape(name)}(?![\\w:])`).test(text);
}
