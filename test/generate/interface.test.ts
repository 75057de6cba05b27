import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { currentInterface, interfaceFile, type Interface } from "../../generate/interface.ts";
import { changeLine, interfaceChanges, unnamedChanges, type Change } from "./interface-changes.ts";

const ROOT = join(import.meta.dirname, "../..");
const RELEASED = "test/generate/testdata/interface.released.json";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("the interface", () => {
  it("is JSON with one entry per line", () => {
    const described = currentInterface();
    const { families, alerts, recordings, configuration } = described;
    const text = interfaceFile();
    expect(JSON.parse(text)).toEqual(described);
    const entries = [families, alerts, recordings, configuration].reduce((sum, { length }) => sum + length, 0);
    // Version, and a first and a last line for the whole and for each list.
    expect(text.trimEnd().split("\n").length).toBe(entries + 1 + 2 + 4 * 2);
  });

  it("has families of nodes, of the exporter and of probes, alerts, recording rules and keys of the configuration", () => {
    const { version, families, alerts, recordings, configuration } = currentInterface();
    expect(version).toBe(manifest.version);
    expect(families).toEqual(
      expect.arrayContaining([
        { name: "avax_node_up", type: "gauge", labels: ["node", "network"] },
        { name: "avax_poll_duration_seconds", type: "summary", labels: ["node", "network", "api_endpoint"] },
        { name: "avax_exporter_poll_duration_seconds", type: "histogram", labels: [] },
        { name: "probe_failed_polls", type: "gauge", labels: ["api_endpoint", "reason"] },
      ]),
    );
    expect(alerts).toContainEqual({
      name: "AvaxNodeDown",
      severity: "critical",
      labels: ["node", "network", "node_id"],
    });
    expect(recordings).toContainEqual({
      name: "chain:avax_chain_head_timestamp_seconds:max",
      labels: ["network", "chain"],
    });
    expect(configuration).toEqual(expect.arrayContaining(["nodes", "watch"]));
  });

  it("has no name twice", () => {
    const { families, alerts, recordings } = currentInterface();
    const names = [...families, ...alerts, ...recordings].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe("differences of two interfaces", () => {
  const BEFORE: Interface = {
    version: "1.0.0",
    families: [
      { name: "avax_up", type: "gauge", labels: ["node", "network"] },
      { name: "avax_polls_total", type: "counter", labels: ["node"] },
    ],
    alerts: [{ name: "AvaxDown", severity: "critical", labels: ["node"] }],
    recordings: [{ name: "node:avax_up:max", labels: ["node"] }],
    configuration: ["nodes", "watch"],
  };
  const [up, polls] = BEFORE.families as [Interface["families"][number], Interface["families"][number]];
  const lines = (after: Partial<Interface>) => interfaceChanges(BEFORE, { ...BEFORE, ...after }).map(changeLine);

  it.each<[string, Partial<Interface>, readonly string[]]>([
    ["nothing", {}, []],
    ["another version", { version: "1.1.0" }, []],
    ["another order", { families: [polls, { ...up, labels: ["network", "node"] }] }, []],
    [
      "a family added",
      { families: [up, { name: "avax_new", type: "gauge", labels: [] }, polls] },
      ["added: family avax_new"],
    ],
    ["a family removed", { families: [polls] }, ["removed: family avax_up"]],
    [
      "a family renamed",
      { families: [{ ...up, name: "avax_node_up" }, polls] },
      ["added: family avax_node_up", "removed: family avax_up"],
    ],
    [
      "another type",
      { families: [up, { ...polls, type: "summary" }] },
      ["changed: family avax_polls_total: type counter is now summary"],
    ],
    [
      "a label added",
      { families: [up, { ...polls, labels: ["node", "reason"] }] },
      ["changed: family avax_polls_total: label reason added"],
    ],
    [
      "a label removed",
      { families: [{ ...up, labels: ["node"] }, polls] },
      ["changed: family avax_up: label network removed"],
    ],
    [
      "a label renamed",
      { families: [{ ...up, labels: ["host", "network"] }, polls] },
      ["changed: family avax_up: label host added", "changed: family avax_up: label node removed"],
    ],
    [
      "an alert added",
      { alerts: [...BEFORE.alerts, { name: "AvaxUp", severity: "info", labels: [] }] },
      ["added: alert AvaxUp"],
    ],
    ["an alert removed", { alerts: [] }, ["removed: alert AvaxDown"]],
    [
      "an alert renamed",
      { alerts: [{ name: "AvaxNodeDown", severity: "critical", labels: ["node"] }] },
      ["added: alert AvaxNodeDown", "removed: alert AvaxDown"],
    ],
    [
      "another severity",
      { alerts: [{ name: "AvaxDown", severity: "warning", labels: ["node"] }] },
      ["changed: alert AvaxDown: severity critical is now warning"],
    ],
    [
      "a label of an alert",
      { alerts: [{ name: "AvaxDown", severity: "critical", labels: ["node", "network"] }] },
      ["changed: alert AvaxDown: label network added"],
    ],
    ["a recording rule removed", { recordings: [] }, ["removed: recording rule node:avax_up:max"]],
    [
      "a label of a recording rule",
      { recordings: [{ name: "node:avax_up:max", labels: [] }] },
      ["changed: recording rule node:avax_up:max: label node removed"],
    ],
    [
      "keys of the configuration",
      { configuration: ["nodes", "probe"] },
      ["added: configuration key probe", "removed: configuration key watch"],
    ],
  ])("%s", (_, after, expected) => {
    expect(lines(after)).toEqual(expected);
  });
});

describe("the changelog", () => {
  const change = (subject: string, kind: Change["kind"] = "added"): Change => ({ kind, subject, text: subject });
  const unnamed = (changes: readonly Change[], changelog: string) =>
    unnamedChanges(changes, changelog).map(({ subject }) => subject);
  const CHANGES = [change("avax_new"), change("avax_up", "changed"), change("AvaxDown", "removed")];

  it("must name every difference in its unreleased section", () => {
    const complete = "# Changelog\n\n## Unreleased\n\n- `avax_new`, `avax_up{node}` and AvaxDown.\n\n## 1.0.0\n";
    expect(unnamed(CHANGES, complete)).toEqual([]);
    expect(unnamed(CHANGES, complete.replace("## Unreleased", "## 1.1.0 (unreleased)"))).toEqual([]);
    expect(unnamed(CHANGES, complete.replace("`avax_new`, ", ""))).toEqual(["avax_new"]);
    expect(unnamed(CHANGES, complete.replace("avax_up", "avax_down"))).toEqual(["avax_up"]);
    expect(unnamed(CHANGES, complete.replace("AvaxDown", "One alert is gone"))).toEqual(["AvaxDown"]);
    expect(unnamed(CHANGES, "")).toEqual(["avax_new", "avax_up", "AvaxDown"]);
  });

  it("does not name a difference by a part of a longer name", () => {
    for (const longer of ["avax_new_total", "node:avax_new:max", "old_avax_new"])
      expect(unnamed([change("avax_new")], `## Unreleased\n\n- ${longer}\n`), longer).toEqual(["avax_new"]);
  });

  it("does not name a difference in the section of a release", () => {
    const text = "- `avax_new`\n";
    expect(unnamed([change("avax_new")], `# Changelog\n\n## 1.1.0\n\n${text}`)).toEqual(["avax_new"]);
    expect(unnamed([change("avax_new")], `## Unreleased\n\n- Other.\n\n## 1.0.0\n\n${text}`)).toEqual(["avax_new"]);
    expect(unnamed([change("avax_new")], `# Changelog\n\n${text}\n## Unreleased\n`)).toEqual(["avax_new"]);
  });

  it("names every difference from the released interface", () => {
    const released = JSON.parse(read(RELEASED)) as Interface;
    const changes = interfaceChanges(released, currentInterface());
    const missing = unnamedChanges(changes, read("CHANGELOG.md"));
    expect(
      missing,
      [
        `The unreleased section of CHANGELOG.md must name each of these. All differences from ${released.version}:`,
        ...changes.map((each) => `${missing.includes(each) ? "  not named  " : "  named      "}${changeLine(each)}`),
      ].join("\n"),
    ).toEqual([]);
  });
});
