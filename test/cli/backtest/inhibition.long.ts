import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { alertmanagerExample } from "../../../generate/alertmanager.ts";
import { outcomesOf, relationsOf, type Episode } from "../../../src/cli/report/notice-outcome.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { startAlertmanager, type Alertmanager, type Routing } from "../../e2e/support/alertmanager.ts";

type Labels = Readonly<Record<string, string>>;

/** It explains every alert, so it is looked at alone. */
const ABSENT = "AvaxExporterAbsent";
const CAUSES = [...new Set(ALERTS.flatMap(({ explainedBy = [] }) => explainedBy.map(({ alert }) => alert)))].filter(
  (alert) => alert !== ABSENT,
);
/** What conditions of causes are about; other labels have the number of the scene. */
const FIXED: Labels = { subnet: "primary", chain: "P", api_endpoint: "evm.head" };

/** The labels of a cause and of its consequences: all equal, all absent, and each label missing or different on one side. */
function pairsOf(cause: string): ReadonlyArray<readonly [cause: Labels, consequences: Labels]> {
  const relations = ALERTS.flatMap(({ explainedBy = [] }) => explainedBy.filter(({ alert }) => alert === cause));
  const names = [
    ...new Set(
      relations.flatMap((each) => [...each.equal, ...Object.keys({ ...each.sourceMatchers, ...each.targetMatchers })]),
    ),
  ];
  const all: Labels = Object.fromEntries(names.map((name) => [name, FIXED[name] ?? cause]));
  const without = (name: string): Labels => Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
  const partly = names.flatMap((name) => [
    [without(name), all] as const,
    [all, without(name)] as const,
    [without(name), without(name)] as const,
    [all, { ...all, [name]: "other" }] as const,
    [{ ...all, [name]: "other" }, all] as const,
  ]);
  return [[all, all], [{}, {}], ...partly];
}

/** Each pair as a scene of its own: the values of its labels are not those of the others. */
const SCENES = CAUSES.flatMap((cause) => {
  const consequences = ALERTS.filter(({ explainedBy = [] }) => explainedBy.some(({ alert }) => alert === cause));
  return pairsOf(cause).flatMap(([own, others], scene) => {
    const inScene = (labels: Labels): Labels =>
      Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [name, value === cause ? `${cause} ${scene}` : value]),
      );
    return [[cause, own] as const, ...consequences.map(({ name }) => [name, others] as const)].map(
      ([alert, labels]) => ({ alert, labels: inScene(labels), from: 0, until: undefined }),
    );
  });
});

const numbered = (episodes: readonly Omit<Episode, "severity">[]): readonly Episode[] =>
  episodes.map((episode, number) => ({
    ...episode,
    severity: ALERTS.find(({ name }) => name === episode.alert)?.severity ?? "none",
    labels: { ...episode.labels, number: String(number) },
  }));

let alertmanager: Alertmanager;
beforeAll(async () => {
  const routing = parse(alertmanagerExample()) as Routing & { readonly inhibit_rules: readonly unknown[] };
  const { receivers, inhibit_rules } = routing;
  // Nothing is sent: one group that waits.
  const route = { receiver: receivers[0]?.name, group_wait: "1h" };
  alertmanager = await startAlertmanager(Object.assign({ receivers }, { inhibit_rules, route }));
  const isReady = () =>
    fetch(`${alertmanager.address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 30_000, interval: 100 });
});
afterAll(async () => alertmanager.stop());

async function send(episodes: readonly Episode[]): Promise<void> {
  const alerts = episodes.map(({ alert, severity, labels }) => ({ labels: { ...labels, alertname: alert, severity } }));
  const headers = { "content-type": "application/json" };
  const url = `${alertmanager.address}/api/v2/alerts`;
  const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(alerts) });
  expect(status).toBe(200);
}

it.each([
  ["each cause in scenes of its own", 5_000, numbered(SCENES)],
  [
    "an exporter that is absent",
    7_000,
    numbered([...SCENES, { alert: ABSENT, labels: {}, from: 0, until: undefined }]),
  ],
])(
  "%s: holds back what a real Alertmanager with the shipped rules inhibits",
  { timeout: 120_000 },
  async (_what, least, episodes) => {
    const held = outcomesOf(episodes, ALERTS, 86_400).map(({ sentAt }) => sentAt === undefined);
    expect(held.filter(Boolean).length).toBeGreaterThan(least);
    expect(held).toContain(false);
    const relations = relationsOf(ALERTS);
    await send(episodes);
    // What is received is read later by the inhibitor.
    await vi.waitFor(
      async () => {
        const received = await alertmanager.alerts();
        const byNumber = new Map(received.map((each) => [each.labels["number"], each]));
        const byFingerprint = new Map(received.map((each) => [each.fingerprint, each.labels]));
        const different = episodes.filter(({ alert, labels }, index) => {
          const sources = byNumber
            .get(labels["number"])
            ?.status.inhibitedBy.map((each) => byFingerprint.get(each) ?? {});
          const isKnown = (source: Labels) =>
            relations.get(alert)?.some((each) => each.alert === source["alertname"] && each.joins(source, labels));
          return sources === undefined || sources.length > 0 !== held[index] || !sources.every(isKnown);
        });
        expect(different.slice(0, 5)).toEqual([]);
        expect(received).toHaveLength(episodes.length);
      },
      { timeout: 60_000, interval: 2_000 },
    );
  },
);
