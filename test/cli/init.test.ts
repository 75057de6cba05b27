import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { methodNamed } from "../../src/api/node/methods.ts";
import { execute } from "../../src/cli/execute.ts";
import { nodeNames } from "../../src/cli/init/configuration-draft.ts";
import { simulate, type Simulation } from "../../simulator/simulate.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { startTlsFront } from "../e2e/support/tls-front.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { always, serve } from "../support/servers.ts";
import { freePort } from "../e2e/support/recording-server.ts";
import { writtenSystem } from "../support/written-system.ts";
import { init, recording } from "./init/run-init.ts";

describe("a simulated network", () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = await simulate({ nodes: 2, tidy: true });
  });
  afterAll(() => simulation.close());
  const url = (node: number): string => simulation.nodes[node - 1]?.url ?? "";

  it("is described, configured and examined", async () => {
    const { code, out, err, file, valid } = await init(url(1));
    expect({ code, err, valid }).toEqual({ code: 0, err: "", valid: "c.yaml: valid, 1 node\n" });
    const undated = (text = ""): string => text.replaceAll(/until \S+ \S+ UTC/g, "until …");
    expect(undated(out).replace(/(?<=Doctor:\n)[^]*?(?=Verdict)/, "")).toMatchInlineSnapshot(`
      "Surveying 1 URL with requests that only read.

      http://node-1
        name    local-1
        network local (network ID 12345)
        node ID NodeID-6APjJK3o4RZ2tRvkWzF6W3WZLSU96zeQT
        version avalanchego/1.15.0
        staking validator with a stake of 1,990,777 AVAX, until …
                (in …)
        chains  P, X, C
        subnet  2qPTqrRSAV5RPqSKgkkA31eVv5QXWv3FqfKj7QNwy1LviRJCx6: l1one (EVM 43002);
                validator, balance 2 AVAX
        subnet  2NDzLuRxuzbDUY8oLXrxFfgL4gXLwAiX19zY5kreX82BgdDeJQ: perm1 (EVM 43001);
                validator
        off     admin API (off): no avax_evm_config_info (usual: nodes serve it only
                if configured to, and never after the Helicon upgrade)

      Wrote c.yaml: valid, 1 node.

      Doctor:
      Verdict: no problems

      Prometheus:

      scrape_configs:
        - job_name: avax-exporter
          scrape_interval: 15s
          static_configs:
            - targets: ["127.0.0.1:9750"]
      rule_files:
        - grafana/alerts/rules.yaml # of avax-exporter

      Next:

        avax-exporter doctor --config.file=c.yaml
        avax-exporter --config.file=c.yaml

      Metrics: http://127.0.0.1:9750/metrics; status page: http://127.0.0.1:9750/
      "
    `);
    expect(file).toMatch(
      /# admin API is off\.\n  - name: local-1 # [^]*validators: \[NodeID-6APjJK3o4RZ2tRvkWzF6W3WZLSU96zeQT\]\n/,
    );
  });

  it("is configured with several nodes, each once", async () => {
    const { file, valid, out } = await init(url(1), url(2), `${url(2)}/`, url(1).replace("127.0.0.1", "localhost"));
    expect(valid).toBe("c.yaml: valid, 2 nodes\n");
    expect(file?.match(/name: local-\d/g)).toEqual(["name: local-1", "name: local-2"]);
    expect(out).toContain(`  the same node as http://node-1 (${simulation.nodes[0]?.nodeId ?? ""}): left out\n`);
  });

  it("is asked with reads alone", () => {
    const sent = simulation.requests().flatMap(({ rpc }) => rpc?.split(",") ?? []);
    expect(sent).not.toEqual([]);
    expect([...new Set(sent)].filter((name) => methodNamed(name)?.writes !== false)).toEqual([]);
  });

  it("names the command of a clone where npm started it", async () => {
    const { system, written } = writtenSystem();
    await execute(["init", "--output=-", url(1)], { ...system, env: { npm_lifecycle_event: "start" } });
    expect(written.err).toContain("  npm start -- doctor --config.file=avax-exporter.yaml\n");
  });

  it("is printed on standard output with --output=-, and nothing else", async () => {
    const { system, written } = writtenSystem();
    expect(await execute(["init", "--output=-", url(1)], system)).toBe(0);
    expect(written.out).toMatch(/^# Configuration of avax-exporter, /);
    expect(written.out).not.toContain("Surveying");
    expect(written.err).toContain("Surveying 1 URL with requests that only read.\n");
  });
});

describe("an address without a node", () => {
  const none = "avax-exporter init: no node answers, so nothing was written\n";
  it("is a web server that answers HTML", async () => {
    const { url } = await serve(always(200, "<html>\n<h1>It works</h1>\n</html>", { "content-type": "text/html" }));
    const { code, out, err, file } = await init(url);
    expect([code, err, file]).toEqual([1, none, undefined]);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      'error not_json: expected JSON, found "<html> <h1>It works</h1> </html>"; the HTTP',
    );
  });

  it("has a certificate of an unknown authority", async () => {
    const front = await startTlsFront(await recording("local-healthy-validator"), 30);
    afterThisTest.add(front.close);
    const { code, out } = await init(front.url);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "error tls: TLS failed: self-signed certificate; for an authority of your own write the node with tls.ca_file into a configuration file",
    );
  });

  it("does not prevent the others on demand", async () => {
    const { code, out, valid } = await init(
      "--allow-down",
      `http://127.0.0.1:${await freePort()}`,
      await recording("local-healthy-validator"),
    );
    expect([code, valid]).toEqual([0, "c.yaml: valid, 1 node\n"]);
    expect(out).toContain("http://node-2\n  error   refused: ");
    expect(out).toContain("Wrote c.yaml: valid, 1 node.\n");
  });
});

it("never replaces a file, and sends nothing", async () => {
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const path = join(folder.path, "mine.yaml");
  writeFileSync(path, "mine\n");
  const { url, received } = await serve(always(200, "{}"));
  const { system, written } = writtenSystem();
  expect(await execute(["init", `--output=${path}`, url], system)).toBe(1);
  expect(written).toEqual({
    out: "",
    err: `avax-exporter init: ${path} exists and is not replaced\nAdd nodes to it with --add, write another file with --output=FILE, or print with --output=-.\n`,
  });
  expect([readFileSync(path, "utf8"), received]).toEqual(["mine\n", []]);
});

it("writes no stack to a folder whose name has a line break, which would begin a line of its own in a unit", async () => {
  const { system, written } = writtenSystem();
  const path = `/tmp/a\nExecStart=b`;
  expect(await execute(["init", `--stack=${path}`, "http://127.0.0.1:1"], system)).toBe(1);
  expect(written.err).toBe(`avax-exporter init: ${JSON.stringify(path)}: a path with a control character is refused\n`);
});

it("reports a file that cannot be created", async () => {
  const { system, written } = writtenSystem();
  const path = "/nowhere/at/all.yaml";
  expect(await execute(["init", `--output=${path}`, await recording("local-healthy-validator")], system)).toBe(1);
  expect(written.err).toBe(`avax-exporter init: "${path}" cannot be written: no such file\n`);
});

it.each([
  ["http://me:hunter2@10.0.0.1:9650", "http://…@10.0.0.1:9650"],
  ["10.0.0.1:9650", "10.0.0.1:9650"],
  ["nowhere", "nowhere"],
  ["ftp://a", "ftp://a"],
  ["http://a?key=hunter2", "http://a?…"],
])("refuses %s", async (url, shown) => {
  const { system, written } = writtenSystem();
  expect(await execute(["init", url], system)).toBe(2);
  expect(written.err).toContain(
    `avax-exporter init: "${shown}" is not a URL such as http://127.0.0.1:9650; write one with`,
  );
});

it.each<[readonly string[], readonly string[]]>([
  [["http://127.0.0.1:9650"], ["fuji-1"]],
  [
    ["http://127.0.0.1:9650", "http://localhost:9652", "http://[::1]:1"],
    ["fuji-1", "fuji-2", "fuji-3"],
  ],
  [
    ["https://a.example.org", "https://b.example.org/x"],
    ["a.example.org", "b.example.org"],
  ],
  [
    ["http://10.0.0.7:9650", "http://10.0.0.7:9652"],
    ["10.0.0.7:9650", "10.0.0.7:9652"],
  ],
  [
    ["https://rpc.example.org/fuji", "https://rpc.example.org/l1"],
    ["rpc.example.org/fuji", "rpc.example.org/l1"],
  ],
  [
    ["http://fuji-1:9650", "http://127.0.0.1:9650"],
    ["fuji-1", "fuji-2"],
  ],
])("names %j", (urls, names) => {
  expect(nodeNames(urls.map((url) => ({ url, network: "fuji" })))).toEqual(names);
});
