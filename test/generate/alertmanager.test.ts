import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { Alert, Cause } from "../../src/topics/define/alert.ts";
import { lingeringOf } from "../../src/topics/all/lingering-of.ts";
import { parseDuration } from "../../src/config/base/units.ts";
import { ALERTS } from "../../src/topics/all/alerts.ts";
import { isImmediate } from "../../src/topics/all/runbook-text.ts";
import { alertmanagerExample, inhibitionsOf } from "../../generate/alertmanager.ts";
import { SERVICES } from "../../generate/notification-services.ts";
import type { Notifier } from "../../src/config/base/notifiers.ts";
import { requireTool } from "../e2e/support/tools.ts";

/** Runs amtool on the example, or on the configuration of a stack. */
function amtoolOn(text: string, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "avax-routing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "alertmanager.yaml");
  writeFileSync(file, text);
  copyFileSync("grafana/alerts/avax.tmpl", join(folder, "avax.tmpl"));
  return spawnSync(requireTool("amtool"), [...args.map((arg) => arg.replace("FILE", file))], { encoding: "utf8" });
}

const amtool = (...args: readonly string[]) => amtoolOn(alertmanagerExample(), ...args);

const [ALERT] = ALERTS as readonly [Alert];

describe("the example for Alertmanager", () => {
  it("is accepted by amtool", () => {
    const { status, stdout } = amtool("check-config", "FILE");
    const found = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(stdout)?.[1]);
    expect({ status, rules: found("inhibit rules"), templates: found("templates") }).toEqual({
      status: 0,
      rules: inhibitionsOf().length,
      templates: 1,
    });
  });

  it("has texts that read the waiting time of every rule", () => {
    const chain = [
      ...readFileSync("grafana/alerts/avax.tmpl", "utf8").matchAll(
        /eq \$waited "(\w+)" \}\}\{\{ \$start = \.StartsAt\.Add -(\d+) /g,
      ),
    ].map(([, text = "", nanoseconds]) => [text, Number(nanoseconds) / 1e9] as const);
    expect(chain).toEqual(chain.map(([text]) => [text, parseDuration(text)]));
    const waited = ALERTS.map((alert) => alert.for ?? "0m").filter((text) => !isImmediate(text));
    expect(chain.map(([text]) => text)).toEqual(expect.arrayContaining([...new Set(waited)]));
  });

  it("has texts that read how much longer than its condition an alert lasts, in both places", () => {
    const texts = readFileSync("grafana/alerts/avax.tmpl", "utf8");
    const [until, when] = ["avax.until", "avax.when"].map((name) => {
      const [, body = ""] = texts.split(`define "${name}" -`);
      const [chain = ""] = body.split("\n{{ end -}}\n");
      return [...chain.matchAll(/eq \$lingered "(\w+)" \}\}\{\{ \$end = \.EndsAt\.Add -(\d+) /g)].map(
        ([, text = "", nanoseconds]) => [text, Number(nanoseconds) / 1e9] as const,
      );
    });
    expect(until).toEqual(when);
    expect(until).toEqual(until?.map(([text]) => [text, parseDuration(text)]));
    const lingered = new Set(ALERTS.map(lingeringOf).filter((seconds) => seconds > 0));
    expect(until?.map(([, seconds]) => seconds)).toEqual([...lingered].toSorted((a, b) => a - b));
  });

  it("sends nothing before its placeholders are replaced", () => {
    const text = alertmanagerExample();
    expect(text.match(/^ +\w+_configs:/gm)).toHaveLength(6);
    const hosts = [...text.matchAll(/(?:https?:\/\/|smarthost: )([^/\s:"]+)/g)].map(([, host]) => host);
    expect(hosts).toEqual(["telegram.invalid", "smtp.mail.invalid", "discord.invalid", "dead-mans-switch.invalid"]);
    const files = [...text.matchAll(/_file: (\S+)/g)].map(([, file]) => file);
    expect(files).toEqual(
      ["pagerduty-routing-key", "slack-webhook-url", "smtp-password"].map(
        (name) => `/etc/alertmanager/secrets/${name}`,
      ),
    );
  });

  it.each<readonly [Notifier, readonly string[]]>([
    ["slack", ["https://hooks.example/a"]],
    ["telegram", ["1:a", "-2"]],
    ["discord", ["https://discord.example/a"]],
    ["pagerduty", ["0123456789abcdef"]],
    ["pushover", ["u".repeat(30), "t".repeat(30)]],
    ["email", ["a@b.example", "c@d.example", "e.example:587", "f", "g h"]],
    ["webhook", ["https://w.example/a"]],
  ])("with %s in place of the examples is accepted by amtool", (service, answers) => {
    expect(SERVICES[service].questions.map(({ problem }, index) => problem(answers[index] ?? ""))).toEqual(
      answers.map(() => undefined),
    );
    const text = alertmanagerExample({ sending: { page: { service, answers }, ticket: { service, answers } } });
    expect(text).not.toMatch(/invalid|REPLACE|\/etc/);
    expect(text.match(/^ +\w+_configs:/gm)).toHaveLength(3);
    expect(amtoolOn(text, "check-config", "FILE")).toMatchObject({ status: 0 });
  });

  it("sends pages to one service, tickets and information to the other", () => {
    const page = { service: "pushover", answers: ["u".repeat(30), "t".repeat(30)] } as const;
    const ticket = { service: "slack", answers: ["https://hooks.example/a"] } as const;
    const { receivers } = parse(alertmanagerExample({ sending: { page, ticket } })) as {
      readonly receivers: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
    const channels = receivers.map(({ name, ...services }) => [name, ...Object.keys(services)]);
    expect(channels).toEqual([
      ["page", "pushover_configs"],
      ["ticket", "slack_configs"],
      ["record", "slack_configs"],
      ["none"],
      ["dead-mans-switch"],
    ]);
  });

  it("rings until someone acknowledges a page of Pushover, and has the text of its alerts", () => {
    const labels = { alertname: "AvaxNodeDown", node: "a&b", severity: "critical" };
    const alert = (annotations: Readonly<Record<string, string>>) => ({ status: "firing", labels, annotations });
    const data = {
      receiver: "page",
      status: "firing",
      alerts: [alert({ summary: "a&b is down for 1h 5m 3s", action: "Start it." })],
      commonLabels: labels,
      externalURL: "http://mon:9093",
    };
    const folder = mkdtempSync(join(tmpdir(), "avax-routing-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "data.json"), JSON.stringify(data));
    const rendered = (text: string, type: string): string => {
      const glob = "--template.glob=grafana/alerts/avax.tmpl";
      const flags = [`--template.text=${text}`, `--template.type=${type}`, `--template.data=${folder}/data.json`];
      return spawnSync(requireTool("amtool"), ["template", "render", glob, ...flags], { encoding: "utf8" }).stdout;
    };
    const { priority, message } = SERVICES.pushover.texts as Readonly<Record<string, string>>;
    expect(rendered(priority ?? "", "text")).toBe("2");
    expect(rendered(message ?? "", "html")).toMatch(
      /^<b>What to do:<\/b> Start it\.\n• a&amp;b is down for 1 h 5 min .*<a href="http:\/\/mon:9093\/#\/silences\/new\?filter=%7balert.*%22a%26b%22%7d">Silence for 2 h<\/a>\n$/,
    );
  });

  it.each([
    ["critical", "AvaxTestNotification", "job=a", "page"],
    ["none", "AvaxWatchdog", "job=a", "dead-mans-switch"],
    ["critical", "AvaxNodeDown", "node=a", "page"],
    ["warning", "AvaxNodeUpgradeDue", "node=a", "ticket"],
    ["critical", "AvaxPublicChainStalled", "network=fuji", "page"],
    ["info", "AvaxEvmConfigChanged", "node=a", "record"],
    ["none", "AvaxNodeRestarting", "node=a", "none"],
    ["warning", "AvaxHostedKeyRefused", "api=data", "ticket"],
    ["critical", "SomebodyElses", "node=a", "ticket"],
  ])("sends a %s %s with %s to %s", (severity, name, label, receiver) => {
    const { stdout } = amtool(
      ...["config", "routes", "test", "--config.file=FILE", `alertname=${name}`, `severity=${severity}`, label],
    );
    expect(stdout.trim()).toBe(receiver);
  });

  it("states every cause as an inhibition", () => {
    const alert = (name: string, explainedBy: Alert["explainedBy"] = []): Alert => ({
      ...ALERT,
      name: `Avax${name}`,
      explainedBy,
    });
    const down: Cause = { alert: "AvaxDown", equal: ["node"], why: "It is down." };
    const narrow: Cause = {
      ...down,
      sourceMatchers: { subnet: "primary" },
      targetMatchers: { api_endpoint: "=~evm.+" },
    };
    const inhibitions = inhibitionsOf([alert("Down"), alert("Late", [down]), alert("Old", [down, narrow])]);
    expect(inhibitions).toEqual([
      { source: "AvaxDown", targets: ["AvaxLate", "AvaxOld"], equal: ["node"], why: "It is down." },
      {
        source: "AvaxDown",
        targets: ["AvaxOld"],
        equal: ["node"],
        why: "It is down.",
        sourceMatchers: { subnet: "primary" },
        targetMatchers: { api_endpoint: "=~evm.+" },
      },
    ]);
  });

  it("writes the conditions of a cause as matchers", () => {
    const { inhibit_rules: rules } = parse(alertmanagerExample()) as {
      inhibit_rules: ReadonlyArray<{ source_matchers: string[]; target_matchers: string[]; equal?: string[] }>;
    };
    expect(rules).toContainEqual({
      source_matchers: ['alertname="AvaxChainNotRun"'],
      target_matchers: ['alertname=~"AvaxEndpointFailing"', 'api_endpoint=~"evm\\\\..+"'],
      equal: ["job", "node"],
    });
    const halted = rules.filter(
      ({ source_matchers: [source, where] }) =>
        source === 'alertname="AvaxSubnetQuorumLost"' && where === 'subnet="primary"',
    );
    expect(halted.length).toBeGreaterThan(0);
    for (const { equal = [] } of halted) expect(equal).toEqual(["network"]);
  });
});
