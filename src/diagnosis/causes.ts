import { SEVERITIES, type Alert, type Cause } from "../topics/define/alert.ts";
import { matcherOf, valueTest } from "../topics/define/selector.ts";
import { subjectOf, type Finding } from "./finding.ts";

/** The part of a finding that decides what it follows from. */
export type FindingKey = Pick<Finding, "alert" | "severity" | "labels"> & Partial<Pick<Finding, "state" | "node">>;

/** A finding that no other one explains, and all that follow from it, both worst first. */
export type Group<T> = { readonly cause: T; readonly consequences: ReadonlyArray<Explained<T>> };

/** A finding and its relation to the cause, or to the consequence of the cause that it follows from. */
export type Explained<T> = { readonly finding: T; readonly by: Cause };

/** The relations of all alerts, causes before their consequences. */
export type Causes = ReadonlyArray<{
  readonly alert: Alert["name"];
  readonly order: number;
  readonly relations: ReadonlyArray<{ readonly cause: Cause; readonly covers: (labels: Labels) => boolean }>;
}>;

type Labels = Finding["labels"];

/** Reads the relations of the alerts. Those within a circle, which would explain nothing, are left out; so are causes that name others. */
export function causesOf(alerts: readonly Alert[]): Causes {
  const explainedBy = new Map(alerts.map(({ name, explainedBy: causes = [] }) => [name, causes]));
  const origins = new Map(alerts.map(({ name }) => [name, originsOf(name, explainedBy)]));
  return (
    alerts
      .map(({ name }, order) => ({
        alert: name,
        order,
        relations: (explainedBy.get(name) ?? [])
          .filter((cause) => cause.namesNode !== true && origins.get(cause.alert)?.has(name) === false)
          .map((cause) => ({ cause, covers: coverOf(cause) })),
      }))
      // An alert has all origins of its causes and itself.
      .sort((a, b) => (origins.get(a.alert)?.size ?? 0) - (origins.get(b.alert)?.size ?? 0))
  );
}

/** The alert, and all that explain it directly or not. */
function originsOf(
  name: Alert["name"],
  explainedBy: ReadonlyMap<Alert["name"], readonly Cause[]>,
): ReadonlySet<Alert["name"]> {
  const origins = new Set([name]);
  // A set is iterated with the values that are added meanwhile.
  for (const each of origins) for (const { alert } of explainedBy.get(each) ?? []) origins.add(alert);
  return origins;
}

/** Whether a cause can explain a finding with these labels. */
export function coverOf(cause: Cause): (labels: Labels) => boolean {
  const tests = Object.entries(cause.targetMatchers ?? {}).map(([label, matcher]) => {
    const matches = valueTest(matcherOf(matcher));
    return (labels: Labels) => matches(labels[label] ?? "");
  });
  return (labels) => tests.every((test) => test(labels));
}

/** A finding with its place in the order of findings. */
type Member<T> = {
  readonly finding: T;
  readonly rank: number;
  readonly order: number;
  readonly subject: string;
  /** Its labels as text, the same in any order. */
  readonly text: string;
  /** What it follows from: directly, and in the end. */
  explained: { readonly by: Cause; readonly root: Member<T> } | undefined;
};

/**
 * Groups findings by their causes. A consequence of a consequence follows from the first cause. Of several causes the
 * most urgent counts, and of these one about the same node. A state that nothing follows from is left out. A pending cause explains pending findings alone: the alerts
 * of the others are sent.
 */
export function groupByCause<T extends FindingKey>(findings: Iterable<T>, causes: Causes): ReadonlyArray<Group<T>> {
  const members = membersOf(findings, causes);
  const byAlert = Map.groupBy(members, ({ finding }) => finding.alert);
  for (const { alert, relations } of causes)
    for (const { cause, covers } of relations) {
      const [explaining, explained] = [byAlert.get(cause.alert), byAlert.get(alert)];
      if (explaining === undefined || explained === undefined) continue;
      const roots = rootsOf(cause, explaining);
      for (const member of explained) {
        const { labels } = member.finding;
        const root = covers(labels) ? roots.get(valuesOf(cause.equal, labels)) : undefined;
        if (root !== undefined) explain(member, cause, root);
      }
    }
  return grouped(members);
}

function membersOf<T extends FindingKey>(findings: Iterable<T>, causes: Causes): ReadonlyArray<Member<T>> {
  const orders = new Map<string, number>(causes.map(({ alert, order }) => [alert, order]));
  return Array.from(findings, (finding) => ({
    finding,
    rank: SEVERITIES.indexOf(finding.severity) + (isPending(finding) ? SEVERITIES.length : 0),
    order: orders.get(finding.alert) ?? causes.length,
    subject: subjectOf(finding),
    text: JSON.stringify(Object.entries(finding.labels).sort(([a], [b]) => (a < b ? -1 : 1))),
    explained: undefined,
  }));
}

/** The most urgent root for the values of the labels that must be equal. */
function rootsOf<T extends FindingKey>({ equal, sourceMatchers = {} }: Cause, explaining: ReadonlyArray<Member<T>>) {
  const conditions = Object.entries(sourceMatchers);
  const roots = new Map<string, Member<T>>();
  for (const member of explaining) {
    const { labels } = member.finding;
    if (conditions.some(([label, value]) => (labels[label] ?? "") !== value)) continue;
    const key = valuesOf(equal, labels);
    const root = member.explained?.root ?? member;
    const other = roots.get(key);
    if (other === undefined || byUrgency(root, other) < 0) roots.set(key, root);
  }
  return roots;
}

/** A missing label equals an empty one, as in Alertmanager. */
function valuesOf(names: readonly string[], labels: Labels): string {
  let values = "";
  for (const name of names) values += `${labels[name] ?? ""}\0`;
  return values;
}

function explain<T extends FindingKey>(member: Member<T>, cause: Cause, root: Member<T>): void {
  if (isPending(root.finding) && !isPending(member.finding)) return;
  const { explained } = member;
  const difference =
    explained === undefined
      ? -1
      : root.rank - explained.root.rank ||
        Number(isOfNode(explained.by)) - Number(isOfNode(cause)) ||
        byUrgency(root, explained.root) ||
        // Of two relations to the same root, a direct one is the better explanation.
        Number(explained.by.alert === root.finding.alert) - Number(cause.alert === root.finding.alert);
  if (difference < 0) member.explained = { by: cause, root };
}

function isPending({ state }: FindingKey): boolean {
  return state === "pending";
}

function isOfNode({ equal }: Cause): boolean {
  return equal.includes("node");
}

function byUrgency<T>(a: Member<T>, b: Member<T>): number {
  return a.rank - b.rank || a.order - b.order || byText(a.text, b.text);
}

/** Firing first, by severity, node, alert and labels. */
function worstFirst<T>(a: Member<T>, b: Member<T>): number {
  return a.rank - b.rank || byText(a.subject, b.subject) || byUrgency(a, b);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function grouped<T extends FindingKey>(members: ReadonlyArray<Member<T>>): ReadonlyArray<Group<T>> {
  const following = new Map<Member<T>, Array<Explained<T>>>();
  for (const { finding, explained } of members.toSorted(worstFirst)) {
    if (explained === undefined || finding.severity === "none") continue;
    const others = following.get(explained.root) ?? [];
    following.set(explained.root, others);
    others.push({ finding, by: explained.by });
  }
  return members
    .filter((member) => member.explained === undefined && (member.finding.severity !== "none" || following.has(member)))
    .sort(worstFirst)
    .map((cause) => ({ cause: cause.finding, consequences: following.get(cause) ?? [] }));
}
