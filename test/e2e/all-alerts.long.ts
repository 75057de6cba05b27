import { beforeAll, describe, expect, it } from "vitest";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { PROOFS, type Proof } from "./support/alert-proofs.ts";
import { runStory, type Story } from "./support/alert-story.ts";

/** Seconds per real second: 65 minutes, the longest that an alert takes, are two minutes, on two processors that are not quite busy. */
const FACTOR = 32;

type Shown = Extract<Proof, { labels: unknown }>;
const SHOWN: ReadonlyArray<readonly [string, Shown]> = Object.entries(PROOFS).flatMap(([name, proof]) =>
  "labels" in proof ? [[name, proof] as const] : [],
);

describe("an hour of faults", () => {
  let story: Story;
  beforeAll(async () => {
    const start = Math.floor(Date.now() / 1000) * 1000;
    story = await runStory({ start, factor: FACTOR }, new Map(SHOWN.map(([name, { labels }]) => [name, labels])));
  });

  it.each(SHOWN)("%s fires by its scenario", (name, { labels }) => {
    const alerts = story.received.filter(({ alert }) => alert.labels["alertname"] === name);
    const { severity } = ALERTS.find((alert) => alert.name === name) ?? {};
    expect(alerts.map(({ alert }) => alert.labels)).toContainEqual(
      expect.objectContaining({ alertname: name, severity, ...labels }) as unknown,
    );
  });

  it.each(SHOWN)("%s has rendered texts", (name) => {
    const alert = ALERTS.find((each) => each.name === name);
    const texts = story.received
      .filter((each) => each.alert.labels["alertname"] === name)
      .map((each) => each.alert.annotations);
    expect(texts).not.toEqual([]);
    for (const text of texts) {
      expect(Object.values(text).join("\n")).not.toMatch(/<no value>|%!|\{\{|<error|NaN|\+Inf/);
      if (alert?.summary.includes("$value") === true) expect(text["summary"]).toMatch(/\d/);
      if (alert?.description.includes("$value") === true) expect(text["description"]).toMatch(/\d/);
    }
  });

  it("nothing fires without faults for an hour", () => {
    expect(story.calmFor).toBeGreaterThan(60);
    expect(story.calm).toEqual([]);
  });

  const sentAbout = (label: string, value: string): ReadonlySet<string | undefined> =>
    new Set(
      story.notifications
        .filter(({ receiver }) => receiver !== "none")
        .flatMap(({ alerts }) => alerts)
        .filter(({ labels }) => labels[label] === value)
        .map(({ labels }) => labels["alertname"]),
    );

  it("only one notification is sent for a node that is down", () => {
    expect(sentAbout("node", "alpha-14")).toEqual(new Set(["AvaxNodeDown"]));
  });

  it("only one notification is sent for an exporter that reaches no node", () => {
    expect(sentAbout("job", "blind")).toContain("AvaxExporterCannotPoll");
    expect(sentAbout("job", "blind")).not.toContain("AvaxNodeDown");
    expect(sentAbout("job", "blind")).not.toContain("AvaxNetworkWithoutReferenceNode");
  });

  it("a severity goes to its receiver", () => {
    const ways = story.notifications.flatMap(({ receiver, alerts }) =>
      alerts.map(({ labels }) => `${labels["severity"]} to ${receiver}`),
    );
    expect([...new Set(ways)].sort()).toEqual([
      "critical to page",
      "info to record",
      "none to none",
      "warning to ticket",
    ]);
  });

  it("alerts of one name are one notification by job and network", () => {
    const keys = new Set(story.notifications.map(({ groupLabels }) => Object.keys(groupLabels).sort().join(" ")));
    // An exporter that is absent has no job; its page can come after the end.
    const named = [...keys].filter((key) => key !== "alertname");
    expect(named.sort()).toEqual(["alertname job", "alertname job network", "alertname network"]);
    const stalled = story.notifications.filter(
      ({ groupLabels }) => groupLabels["alertname"] === "AvaxPublicChainStalled",
    );
    expect(new Set(stalled.map(({ alerts }) => alerts.length))).toEqual(new Set([1]));
  });
});
