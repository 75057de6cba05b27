import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
import { afterAll, expect, it } from "vitest";
import { loadSettingsApart } from "../../src/daemon/load-settings-apart.ts";
import { loadSettings, type SettingsSource } from "../../src/daemon/settings.ts";

const folder = mkdtempSync(join(tmpdir(), "avax-exporter-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}
const source = (configFile: string | undefined, more: Partial<SettingsSource> = {}): SettingsSource => ({
  configFile,
  webFile: undefined,
  endpointIds: ["health", "info.peers"],
  networkEndpointIds: [],
  alertLimits: [],
  env: {},
  sharded: false,
  ...more,
});
const node = (index: number) => ({
  name: `node-${index}`,
  url: `http://node-${index}:9650`,
  labels: { site: `s${index % 7}` },
});
const FLEET = { nodes: Array.from({ length: 1000 }, (_, index) => node(index)) };

it.each<[string, () => SettingsSource]>([
  ["no file", () => source(undefined)],
  [
    "two files with secrets of the environment",
    () =>
      source(
        written("good.yaml", {
          nodes: [{ ...node(1), bearer_token: "${TOKEN}" }],
          endpoints: { health: { every: "5s" } },
          metrics_api: { chains: ["43114"] },
        }),
        {
          webFile: written("web.yaml", {
            basic_auth_users: { a: hashSync("x", 4) },
            http_server_config: { headers: { "X-Frame-Options": "deny" } },
          }),
          env: { TOKEN: "from the environment", UNSET: undefined },
        },
      ),
  ],
  ["a wrong file", () => source(written("wrong.yaml", "nodes:\n  - name: a\n    url: ftp://x\n  - [1, 2"), {})],
  [
    "wrong values in both",
    () => source(written("values.yaml", { nodes: 7, colour: 1 }), { webFile: written("w.yaml", { users: 1 }) }),
  ],
  ["a file that is not there", () => source(join(folder, "missing.yaml"))],
])("another thread loads the same settings from %s", async (_which, of) => {
  const asked = of();
  expect(await loadSettingsApart(asked)).toEqual(structuredClone(loadSettings(asked)));
});

it("loads a thousand nodes without work on the event loop", async () => {
  const asked = source(written("fleet.yaml", FLEET));
  const [all, mine] = [process.cpuUsage(), process.threadCpuUsage()];
  const settings = await loadSettingsApart(asked);
  const { user: here } = process.threadCpuUsage(mine);
  const { user: whole } = process.cpuUsage(all);
  expect("configured" in settings && settings.configured.config.nodes).toHaveLength(1000);
  expect(here).toBeLessThan(whole / 3);
});

it("rejects when the thread fails", async () => {
  const asked = source(undefined);
  await expect(loadSettingsApart(asked, { code: "throw new Error('boom')", eval: true })).rejects.toThrow("boom");
  await expect(loadSettingsApart(asked, { code: "", eval: true })).rejects.toThrow("ended");
  await expect(loadSettingsApart(asked, { code: new URL("http://127.0.0.1/"), eval: false })).rejects.toThrow();
});
