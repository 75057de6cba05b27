import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { createCleanup } from "../support/create-cleanup.ts";
import type { RunningDaemon } from "./support/daemon.ts";
import { sampleLines, seriesKey, type Series } from "./support/exposition.ts";
import { fleet } from "./support/fleet.ts";
import { startFormatProxy, startPrometheus, type Prometheus } from "./support/prometheus.ts";
import { freePort } from "./support/recording-server.ts";
import { startFleetDaemon } from "./support/recorded-fleet.ts";
import { requireTool } from "./support/tools.ts";

const TEXT = "text/plain;version=0.0.4";
const NODES = fleet();
/** Families whose values are those of the recordings at any time. */
const STEADY = /^avax_(validators?_stake|validators?_delegators|supply|upgrade_activation|node_info)/;

const cleanup = createCleanup();
let daemon: RunningDaemon;
let prometheus: Prometheus;

beforeAll(async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const proxy = await startFormatProxy(address, TEXT);
  cleanup.add(proxy.close);
  // Prometheus scrapes nothing in its first five seconds: the exporter starts meanwhile.
  [prometheus, daemon] = await Promise.all([
    startPrometheus({ openmetrics: address, text: proxy.address }),
    startFleetDaemon(NODES, cleanup, { port }),
  ]);
  cleanup.add(prometheus.stop);
  const ready = Date.now() / 1000;
  const scraped = 'sum(up{job=~"openmetrics|text"}) unless min(timestamp(up{job=~"openmetrics|text"})) < ';
  await vi.waitUntil(async () => (await prometheus.value(`${scraped}${ready}`).catch(() => 0)) === 2, {
    timeout: 60_000,
    interval: 100,
  });
}, 120_000);

afterAll(cleanup.run);

test("only endpoints of chains that do not run fail, with the reason", async () => {
  const failures = [...(await prometheus.query('avax_poll_failures_total{job="openmetrics"} > 0')).values()];
  const because = (reason: string) =>
    [...new Set(failures.flatMap(({ labels }) => (labels["reason"] === reason ? [labels["node"]] : [])))].sort();
  expect(because("not_bootstrapped")).toEqual(["custom-bootstrapping"]);
  // A chain that a node does not run is a path that does not exist.
  expect(["custom-bootstrapping", "local-plugin-failed"]).toEqual(expect.arrayContaining(because("http_status")));
  const known = ["not_bootstrapped", "http_status"];
  expect(failures.filter(({ labels }) => !known.includes(labels["reason"] ?? ""))).toEqual([]);
});

describe("Prometheus", () => {
  it.each([
    ["openmetrics", "application/openmetrics-text;version=1.0.0"],
    ["text", TEXT],
  ])("takes in every line of the %s exposition", async (job, accept) => {
    await vi.waitFor(
      async () => {
        const response = await daemon.get("/metrics", accept);
        const lines = sampleLines(await response.text()).length;
        expect(response.headers.get("content-type")).toContain(accept.split(";")[0]);
        expect(await prometheus.value(`scrape_samples_scraped{job="${job}"}`)).toBe(lines);
        expect(await prometheus.value(`scrape_samples_post_metric_relabeling{job="${job}"}`)).toBe(lines);
      },
      { timeout: 30_000, interval: 250 },
    );
  });

  it("reads the same series with the same values from both formats", async () => {
    const [open = [], text = []] = await Promise.all(
      ["openmetrics", "text"].map(async (job) =>
        [
          ...(await prometheus.query(`{__name__=~"avax_.+",__name__!~"avax_exporter_.+",job="${job}"}`)).values(),
        ].filter(({ name }) => STEADY.test(name)),
      ),
    );
    const keyed = (list: readonly Series[]) =>
      new Map(list.map(({ name, labels, value }) => [seriesKey(name, labels), value]));
    expect(keyed(text)).toEqual(keyed(open));
    expect(open).not.toEqual([]);
  });

  it("drops no sample as a duplicate, out of order or out of bounds", async () => {
    const counters = await vi.waitUntil(
      async () => {
        const found = await prometheus.query(
          '{__name__=~"prometheus_target_scrapes_sample_(duplicate_timestamp|out_of_order|out_of_bounds)_total"}',
        );
        return found.size === 3 ? found : undefined;
      },
      { timeout: 30_000, interval: 250 },
    );
    expect([...counters.values()].map(({ value }) => value)).toEqual([0, 0, 0]);
  });

  it("accepts the text exposition in `promtool check metrics`", async () => {
    const text = await (await daemon.get("/metrics", TEXT)).text();
    const { status, stdout, stderr } = spawnSync(requireTool("promtool"), ["check", "metrics"], {
      input: text,
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});
