import { afterEach, expect, it } from "vitest";
import { createDaemon, type Daemon } from "../../src/daemon/daemon.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { Config } from "../../src/config/config.ts";
import { nativeTargets, probeTargets } from "../../src/http/routes/sd-route.ts";
import { serve } from "../support/servers.ts";
import { nodeSources } from "../../src/config/read/sources.ts";

const SECRET = "s3cr3t-key-of-the-data-api";
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.poller.close();
});

function daemonOf(config: Config, logged: string[]): Daemon {
  const note = (data: object, message: string) => void logged.push(`${message} ${JSON.stringify(data)}`);
  const log = { debug: note, info: note, warn: note, error: note };
  return createDaemon({ config, log, version: "0", revision: "0", nodeVersion: "0", exporterMetrics: true });
}

it("a token in the path of a node's URL is in the requests and nowhere else: /sd leaves the node out", async () => {
  const token = "3f2a8b1c9d0e4f5a6b7c8d9e0f1a2b3c";
  const { url, received } = await serve(
    ({ url: path }, response) => void response.writeHead(404).end(`no page ${path}`),
  );
  const text = `nodes: [{ name: a, url: "${url}/${token}/" }]\n`;
  const loaded = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
  if (!loaded.ok) throw new Error("the test's own file is wrong");
  const { config, warnings, masked } = loaded.loaded;
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("/sd leaves the node out")]);
  const logged: string[] = [];
  daemon = daemonOf(config, logged);
  const timer = setInterval(daemon.poller.tick, 50);
  await expect.poll(() => logged.join(), { timeout: 10_000 }).toContain("no page");
  clearInterval(timer);
  expect(received.every((each) => each.url.startsWith(`/${token}/ext/`))).toBe(true);
  const listed = [nativeTargets(daemon.fleet()), probeTargets(daemon.fleet(), "exporter:9750", undefined)];
  expect(listed.map((each) => each.length)).toEqual([0, 1]);
  const wrong = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text.replace("http", "ftp") });
  const shown = [masked(), warnings, daemon.poller.status(), listed, logged, wrong].map((each) => JSON.stringify(each));
  for (const each of shown) expect(each).not.toContain(token);
  expect(shown.join("")).toContain(`${url}/<secret>`);
});

it("a key of the configuration is masked, and problems with it do not contain it", () => {
  const load = (text: string) => loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => text });
  const good = load(`data_api: { key: ${SECRET}, chains: ["43114"] }\n`);
  expect(good.ok && good.loaded.config.dataApi?.key).toBe(SECRET);
  expect(good.ok && good.loaded.masked()).toContain("key: <secret>");
  expect(good.ok && good.loaded.masked()).not.toContain(SECRET);
  const bad = load(`data_api: { key: ${SECRET}, key_file: k, chains: [43114], budget: { per_minute: 10 } }\n`);
  const problems = bad.ok ? [] : bad.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  expect(problems.join("\n")).not.toContain(SECRET);
  expect(problems.some((each) => each.endsWith("key and key_file are both given; keep one of them"))).toBe(true);
  expect(problems.some((each) => each.includes('must be an EVM chain ID in quotes, such as "43114"'))).toBe(true);
  expect(problems.some((each) => each.includes("must be a whole number from 200"))).toBe(true);
});

it("a demand beyond the budget of a day is a warning with the figures", () => {
  const chains = Array.from({ length: 60 }, (_, i) => `"${i + 1}"`).join(", ");
  const loaded = loadConfig("c.yaml", [], {
    ...nodeSources({}),
    readFile: () => `metrics_api: { chains: [${chains}] }\n`,
  });
  expect(loaded.ok && loaded.loaded.warnings.map(({ message }) => message.split(":")[0])).toEqual([
    "polls need about 2328000 units a day, the budget allows 1080000",
  ]);
});
