import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SEVERITIES, type Alert, type Cause, type Severity } from "../../src/topics/define/alert.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { causesOf, groupByCause, type FindingKey, type Group } from "../../src/diagnosis/causes.ts";

type Relation = Partial<Cause> & Pick<Cause, "alert">;

const [MODEL] = ALERTS;

function alert(name: Alert["name"], severity: Severity, ...explainedBy: readonly Relation[]): Alert {
  if (MODEL === undefined) throw new Error("no alert");
  const causes = explainedBy.map((each) => ({ equal: ["node"], why: `${each.alert} explains it.`, ...each }));
  return { ...MODEL, name, severity, explainedBy: causes };
}

const grouped = <T extends FindingKey>(findings: readonly T[], alerts: readonly Alert[]): ReadonlyArray<Group<T>> =>
  groupByCause(findings, causesOf(alerts));

/** `AvaxDown{node=a} <- AvaxStale{node=a}` for each group. */
const written = (groups: ReadonlyArray<Group<FindingKey>>): readonly string[] =>
  groups.map(({ cause, consequences }) =>
    [cause, ...consequences.map(({ finding }) => finding)].map(nameOf).join(" <- "),
  );

const inFleet = (...findings: readonly FindingKey[]): readonly string[] => written(grouped(findings, FLEET));

const nameOf = ({ alert: name, labels }: FindingKey): string =>
  `${name.slice(4)}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(",")}}`;

const FLEET: readonly Alert[] = [
  alert("AvaxDown", "critical"),
  alert("AvaxCutOff", "critical", { alert: "AvaxDown" }),
  alert("AvaxStarting", "none"),
  alert("AvaxStale", "warning", { alert: "AvaxCutOff" }, { alert: "AvaxStarting" }, { alert: "AvaxDown" }),
  alert("AvaxLate", "critical", { alert: "AvaxStale" }, { alert: "AvaxStarting" }),
  alert("AvaxNoReference", "warning", { alert: "AvaxDown", equal: ["network"] }),
  alert("AvaxHalted", "critical"),
  alert(
    "AvaxFailing",
    "warning",
    { alert: "AvaxHalted", equal: ["network"], sourceMatchers: { subnet: "primary" } },
    { alert: "AvaxDown", targetMatchers: { endpoint: "=~evm\\..+" } },
  ),
];
const severities = new Map(FLEET.map(({ name, severity }) => [name as string, severity]));
const found = (name: Alert["name"], labels: FindingKey["labels"]): FindingKey => ({
  alert: name,
  severity: severities.get(name) ?? "info",
  labels,
});

describe("findings are grouped by cause", () => {
  it("a chain is followed to its root, and each finding is listed once", () => {
    const findings = [
      found("AvaxLate", { node: "a" }),
      found("AvaxStale", { node: "a" }),
      found("AvaxCutOff", { node: "a" }),
      found("AvaxDown", { node: "a" }),
    ];
    const [group, ...others] = grouped(findings, FLEET);
    expect(written(group === undefined ? [] : [group])).toEqual([
      "Down{node=a} <- CutOff{node=a} <- Late{node=a} <- Stale{node=a}",
    ]);
    expect(others).toEqual([]);
    // The relation to the root is the explanation where there is one, otherwise the one to the finding between.
    expect(group?.consequences.map(({ finding, by }) => [finding.alert, by.alert])).toEqual([
      ["AvaxCutOff", "AvaxDown"],
      ["AvaxLate", "AvaxStale"],
      ["AvaxStale", "AvaxDown"],
    ]);
  });

  it("of several roots the most urgent counts: by severity, then by the order of the alerts, then by labels", () => {
    const onA = (...names: readonly Alert["name"][]) => inFleet(...names.map((name) => found(name, { node: "a" })));
    expect(onA("AvaxStarting", "AvaxLate", "AvaxStale")).toEqual(["Starting{node=a} <- Late{node=a} <- Stale{node=a}"]);
    expect(onA("AvaxStarting", "AvaxStale", "AvaxCutOff")).toEqual(["CutOff{node=a} <- Stale{node=a}"]);
    const down = ["c", "a", "b"].map((node) => found("AvaxDown", { node, network: "n" }));
    expect(inFleet(found("AvaxNoReference", { network: "n" }), ...down)).toEqual([
      "Down{node=a,network=n} <- NoReference{network=n}",
      "Down{node=b,network=n}",
      "Down{node=c,network=n}",
    ]);
  });

  it("of the shipped alerts: what is a fact about a node stands beside its network and its bootstrapping", () => {
    const ofNode = (name: Alert["name"], node: string, more: FindingKey["labels"] = {}) => ({
      ...{ alert: name, labels: { node, network: "n", ...more } },
      severity: ALERTS.find((each) => each.name === name)?.severity ?? "info",
    });
    const findings: readonly FindingKey[] = [
      { alert: "AvaxSubnetQuorumLost", severity: "critical", labels: { network: "n", subnet: "primary" } },
      ofNode("AvaxNodeDown", "a"),
      ofNode("AvaxNodeBlsKeyWrong", "b", { subnet: "primary" }),
      ofNode("AvaxNodeUnhealthy", "b"),
      ofNode("AvaxNodeUnhealthy", "c"),
    ];
    expect(
      grouped(findings, ALERTS).map(({ cause, consequences }) => [
        cause.alert,
        ...consequences.map(({ finding }) => `${finding.alert} ${finding.labels["node"]}`),
      ]),
    ).toEqual([
      ["AvaxNodeDown"],
      ["AvaxNodeBlsKeyWrong", "AvaxNodeUnhealthy b"],
      ["AvaxSubnetQuorumLost", "AvaxNodeUnhealthy c"],
    ]);
    const stuck = (
      ["AvaxNodeBootstrapping", "AvaxNodeUnhealthy", "AvaxNodeFewPeers", "AvaxEndpointFailing"] as const
    ).map((name) => ofNode(name, "d"));
    expect(grouped(stuck, ALERTS).map(({ cause, consequences }) => [cause.alert, consequences.length])).toEqual([
      ["AvaxNodeFewPeers", 0],
      ["AvaxNodeUnhealthy", 0],
      ["AvaxNodeBootstrapping", 1],
    ]);
  });

  test.each([
    ["=~evm\\..+", "evm.head", true],
    ["=~evm\\..+", "not evm.head", false],
    ["=~evm|health", "healthy", false],
    ["!~evm\\..+", "evm.head", false],
    ["!=health", "health", false],
    ["!=", undefined, false],
    ["health", "healthy", false],
    ["", undefined, true],
  ])("with `only` %j, a finding with endpoint %s is explained: %s", (matcher, endpoint, explained) => {
    const alerts = [
      alert("AvaxDown", "critical"),
      alert("AvaxStale", "info", { alert: "AvaxDown", targetMatchers: { endpoint: matcher } }),
    ];
    const labels = { node: "a", ...(endpoint === undefined ? {} : { endpoint }) };
    const groups = grouped([found("AvaxStale", labels), found("AvaxDown", { node: "a" })], alerts);
    expect(groups.length === 1).toBe(explained);
  });

  it("a state heads a group only with consequences, and comes last", () => {
    const starting = ["a", "b"].map((node) => found("AvaxStarting", { node }));
    expect(inFleet(...starting, found("AvaxLate", { node: "b" }), found("AvaxStale", { node: "c" }))).toEqual([
      "Stale{node=c}",
      "Starting{node=b} <- Late{node=b}",
    ]);
  });

  it("a state with a cause is not listed, but passes on its cause", () => {
    const alerts = [
      alert("AvaxDown", "critical"),
      alert("AvaxStarting", "none", { alert: "AvaxDown" }),
      alert("AvaxStale", "warning", { alert: "AvaxStarting" }),
    ];
    const findings = (["AvaxStale", "AvaxStarting", "AvaxDown"] as const).map((name) => ({
      ...found(name, { node: "a" }),
      severity: alerts.find((each) => each.name === name)?.severity ?? "info",
    }));
    expect(written(grouped(findings, alerts))).toEqual(["Down{node=a} <- Stale{node=a}"]);
  });
});

const NAMES = ["AvaxA", "AvaxB", "AvaxC", "AvaxD", "AvaxE", "AvaxF"] as const;
const EQUALS = [["node"], ["network"], ["node", "network"], []] as const;

/** Alerts with any relations, circles included. */
const relations = fc
  .tuple(
    fc.array(fc.constantFrom(...SEVERITIES), { minLength: NAMES.length, maxLength: NAMES.length }),
    fc.array(
      fc.record({
        of: fc.nat(NAMES.length - 1),
        by: fc.nat(NAMES.length - 1),
        equal: fc.constantFrom(...EQUALS),
        where: fc.constantFrom(undefined, { node: "a" }),
        only: fc.constantFrom(undefined, { node: "!=a" }, { network: "=~m|n" }),
      }),
      { maxLength: 12 },
    ),
  )
  .map(([given, pairs]) =>
    NAMES.map((name, index) =>
      alert(
        name,
        given[index] ?? "info",
        ...pairs
          .filter(({ of }) => of === index)
          .map(({ by, equal, where, only }) => ({
            alert: NAMES[by] ?? "AvaxA",
            equal,
            ...(where === undefined ? {} : { where }),
            ...(only === undefined ? {} : { only }),
          })),
      ),
    ),
  );

const findingsOf = (alerts: readonly Alert[]) =>
  fc
    .uniqueArray(
      fc.tuple(fc.nat(NAMES.length - 1), fc.constantFrom("", "a", "b"), fc.constantFrom("", "m", "n", "o")),
      { selector: (each) => each.join(), maxLength: 30 },
    )
    .map((all) =>
      all.map(([index, node, network]) => ({
        alert: NAMES[index] ?? "AvaxA",
        severity: alerts[index]?.severity ?? "info",
        labels: { ...(node === "" ? {} : { node }), ...(network === "" ? {} : { network }) },
      })),
    );

/** Whether a relation of the alerts that is in no circle makes `one` follow from `other`; the plain definition. */
function follows(one: FindingKey, other: FindingKey, alerts: readonly Alert[]): boolean {
  const explaining = (name: string): readonly Cause[] => alerts.find((each) => each.name === name)?.explainedBy ?? [];
  const reaches = (from: string, to: string, seen: readonly string[] = []): boolean =>
    explaining(from).some(
      (each) => each.alert === to || (!seen.includes(each.alert) && reaches(each.alert, to, [...seen, each.alert])),
    );
  const value = ({ labels }: FindingKey, label: string): string => labels[label] ?? "";
  return explaining(one.alert).some(
    ({ alert: by, equal, sourceMatchers, targetMatchers }) =>
      by === other.alert &&
      !reaches(by, one.alert) &&
      by !== one.alert &&
      equal.every((label) => value(one, label) === value(other, label)) &&
      (sourceMatchers?.["node"] === undefined || value(other, "node") === sourceMatchers["node"]) &&
      (targetMatchers?.["node"] === undefined || value(one, "node") !== "a") &&
      (targetMatchers?.["network"] === undefined || ["m", "n"].includes(value(one, "network"))),
  );
}

const CASES = relations.chain((alerts) =>
  findingsOf(alerts).chain((findings) =>
    fc.record({
      alerts: fc.constant(alerts),
      findings: fc.constant(findings),
      shuffled: fc.shuffledSubarray(findings, { minLength: findings.length }),
    }),
  ),
);

test("whatever the relations and findings: all are listed once, under a root, in any order of input", () => {
  fc.assert(
    fc.property(CASES, ({ alerts, findings, shuffled }) => {
      const groups = grouped(findings, alerts);
      const listed = groups.flatMap(({ cause, consequences }) => [
        cause,
        ...consequences.map(({ finding }) => finding),
      ]);
      expect(new Set(listed).size).toBe(listed.length);
      const heads = new Set<FindingKey>(groups.map(({ cause }) => cause));
      for (const finding of findings.filter(({ severity }) => severity !== "none")) expect(listed).toContain(finding);
      for (const finding of findings) {
        if (heads.has(finding)) expect(findings.filter((other) => follows(finding, other, alerts))).toEqual([]);
      }
      for (const { cause, consequences } of groups) {
        expect(cause.severity !== "none" || consequences.length > 0).toBe(true);
        const reached = new Set<FindingKey>([cause]);
        for (const each of reached) for (const other of findings) if (follows(other, each, alerts)) reached.add(other);
        for (const { finding, by } of consequences) {
          expect(finding.severity).not.toBe("none");
          expect(reached).toContain(finding);
          expect(alerts.find(({ name }) => name === finding.alert)?.explainedBy).toContainEqual(by);
        }
      }
      expect(grouped(shuffled, alerts)).toEqual(groups);
    }),
    { numRuns: 400 },
  );
});

test("a pending cause explains pending findings alone, and pending findings come last", () => {
  type State = NonNullable<FindingKey["state"]>;
  const pair = (node: string, down: State, stale: State): readonly FindingKey[] => [
    { ...found("AvaxDown", { node }), state: down },
    { ...found("AvaxStale", { node }), state: stale },
  ];
  expect(
    inFleet(...pair("a", "pending", "firing"), ...pair("b", "pending", "pending"), ...pair("c", "firing", "pending")),
  ).toEqual(["Down{node=c} <- Stale{node=c}", "Stale{node=a}", "Down{node=a}", "Down{node=b} <- Stale{node=b}"]);
});
