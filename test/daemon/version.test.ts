import { expect, it } from "vitest";
import { defaultConfig } from "../../src/config/default-config.ts";
import { createDaemon } from "../../src/daemon/daemon.ts";
import { revisionOf } from "../../src/daemon/revision.ts";
import { aboutOf } from "../../src/daemon/version.ts";

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
