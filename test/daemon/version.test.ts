import { expect, it } from "vitest";
import { defaultConfig } from "../../src/config/default-config.ts";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { revisionOf } from "../../src/daemon/revision.ts";
import { aboutOf, versionText } from "../../src/daemon/version.ts";

const silent = () => undefined;

it("the daemon's own metrics contain the version and the commit of the clone", async () => {
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const about = aboutOf({ nodeVersion: "v24" });
  const daemon = createDaemon({ config: defaultConfig(), log, ...about, exporterMetrics: true });
  const only = new Set(["avax_exporter_build_info"]);
  const { chunks } = await daemon.metrics({ accept: undefined, acceptEncoding: undefined, only });
  await daemon.poller.close();
  const revision = revisionOf(new URL("../..", import.meta.url).pathname);
  expect(Buffer.concat(chunks).toString()).toContain(
    `avax_exporter_build_info{version="${about.version}",revision="${revision}",node_js_version="v24"} 1\n`,
  );
});

it("the version names the time of the build, and a clone has none", () => {
  const build = { version: "1.2.3", revision: "abcdef1", nodeVersion: "v24.0.0" };
  expect(versionText(build)).toBe("avax-exporter 1.2.3 (abcdef1), node v24.0.0");
  expect(versionText({ ...build, buildDate: "2026-01-05T08:00:00Z" })).toBe(
    "avax-exporter 1.2.3 (abcdef1, built 2026-01-05T08:00:00Z), node v24.0.0",
  );
  expect(aboutOf({ nodeVersion: "v24" }).buildDate).toBeUndefined();
});
