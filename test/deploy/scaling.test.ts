import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../support/folders.ts";
import { readArguments } from "../../src/cli/read-arguments.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { nodeSources } from "../../src/config/read/sources.ts";
import { PROBE_MODULES } from "../../src/config/schema/probe-section.ts";
import { requireTool } from "../e2e/support/tools.ts";

const TEXT = readFileSync(resolve(import.meta.dirname, "../../docs/scaling.md"), "utf8");
const blocks = (language: string) =>
  [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block = ""]) => block);

describe("docs/scaling.md", () => {
  const yaml = blocks("yaml");
  const scrapes = yaml.filter((block) => block.startsWith("scrape_configs:"));
  const configs = yaml.filter((block) => block.startsWith("nodes:"));

  it.each(scrapes)("has a scrape configuration that Prometheus accepts: %#", (block) => {
    // Debian's Prometheus is built without Kubernetes discovery, so that part is removed.
    const known = block.replace(/ {4}kubernetes_sd_configs:\n( {6}.*\n)+/, "").replaceAll("/etc/prometheus/", "");
    const folder = folderWith({ "prometheus.yml": known, "node-token": "token" });
    const promtool = spawnSync(requireTool("promtool"), ["check", "config", "prometheus.yml"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ status: promtool.status, stderr: promtool.stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(configs)("has a configuration that the exporter accepts: %#", (block) => {
    const loaded = loadConfig("c.yaml", [], { ...nodeSources({}), readFile: () => block }, { sharded: true });
    expect(loaded.ok ? loaded.loaded.warnings : loaded.problems).toEqual([]);
  });

  it("contains only valid commands and flags", () => {
    const commands = blocks("sh")
      .flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
      .filter((line) => line.startsWith("avax-exporter "))
      .map((line) =>
        line
          .replace(/\s+#.*$/, "")
          .split(/\s+/)
          .slice(1),
      );
    for (const args of commands) expect(readArguments(args)).not.toHaveProperty("problem");
  });

  it("describes every built-in module", () => {
    for (const name of Object.keys(PROBE_MODULES)) expect(TEXT).toMatch(new RegExp(`^\\| \`${name}\``, "m"));
  });
});
