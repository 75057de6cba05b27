import { expect, it, vi } from "vitest";
import { parse } from "yaml";
import { simulate } from "../../simulator/simulate.ts";
import { alertmanagerExample } from "../../generate/alertmanager.ts";
import { rulesFile } from "../../generate/rules.ts";
import { startAlertmanager, type Routing } from "./support/alertmanager.ts";
import { compressRouting, compressRules, fastClock } from "./support/compression.ts";
import { startDaemon, writeConfig } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";
import { startPrometheus } from "./support/prometheus.ts";

/** A quarter of an hour, after which the second alert fires, is ten seconds. */
const FACTOR = 90;
const DEADLINE = 40_000;

/** One alert from end to end; `npm run test:alerts` (`all-alerts.long.ts`) covers all of them. */
it(
  "a node that is down is one page, and what follows from it is held back",
  { timeout: DEADLINE + 10_000 },
  async () => {
    const compression = { start: Math.floor(Date.now() / 1000) * 1000, factor: FACTOR };
    const simulation = await simulate({
      nodes: 2,
      now: fastClock(compression),
      scenario: [{ node: 2, name: "offline-validator" }],
    });
    cleanUpAfter(() => simulation.close());
    const [up, down] = simulation.nodes;
    const config = {
      nodes: [
        { name: "up", url: up?.url, network: "n", primary_chains: ["P"] },
        { name: "down", url: down?.url, network: "n" },
      ],
      evm: { websocket: true },
    };
    const file = await writeConfig(await folder(), config);
    const daemon = await startDaemon([`--config.file=${file}`], compression);
    cleanUpAfter(daemon.child.stop);
    const alertmanager = await startAlertmanager(compressRouting(parse(alertmanagerExample()), compression) as Routing);
    cleanUpAfter(alertmanager.stop);
    const rules = compressRules(rulesFile(), compression);
    const prometheus = await startPrometheus({ avax: daemon.address }, { rules, alertmanager: alertmanager.address });
    cleanUpAfter(prometheus.stop);

    const held = () =>
      alertmanager
        .alerts()
        .then((alerts) => alerts.find(({ labels }) => labels["alertname"] === "AvaxEvmWebSocketDown"))
        .catch(() => undefined);
    const alert = await vi.waitUntil(held, { timeout: DEADLINE, interval: 200 });
    expect(alert.labels).toMatchObject({ node: "down", chain: "C", severity: "info", job: "avax" });
    await vi.waitFor(async () => expect((await held())?.status).toMatchObject({ state: "suppressed" }));
    const about = alertmanager
      .notifications()
      .flatMap(({ receiver, alerts }) => alerts.map(({ labels, annotations }) => ({ receiver, labels, annotations })))
      .filter(({ receiver, labels }) => labels["node"] === "down" && receiver !== "none");
    expect(about.map(({ receiver, labels }) => [receiver, labels["alertname"]])).toEqual([["page", "AvaxNodeDown"]]);
    expect(about[0]?.annotations["summary"]).toBe("down does not answer");
  },
);
