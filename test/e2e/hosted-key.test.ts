import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { simulateHosted } from "../../simulator/hosted/hosted.ts";
import { execute } from "../../src/cli/execute.ts";
import { writtenSystem } from "../support/written-system.ts";
import { writeConfig } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, folder, WITHIN } from "./support/harness.ts";

/** The key of a hosted service must not appear in the pages and the log of the real process, or in the output of commands. */

const SECRET = "s3cr3t-key+of/the=data-api";
const PAGES = [
  ...["/metrics", "/metrics?name[]=avax_hosted_up", "/", "/config", "/api/v1/status", "/api/v1/findings", "/-/ready"],
  "/-/healthy",
];

/** Ways to configure the key in the section `data_api`, of a service that accepts it, and of one that refuses it and repeats it. */
const cases = [
  ["in a variable", "accepted", SECRET],
  ["in a file of its own", "refused and repeated", "another"],
] as const;

async function sectionOf(way: (typeof cases)[number][0], dir: string): Promise<object> {
  if (way === "in a variable") {
    vi.stubEnv("HOSTED_KEY_OF_THE_TEST", SECRET);
    return { key: "${HOSTED_KEY_OF_THE_TEST}" };
  }
  await writeFile(join(dir, "data-api-key"), `${SECRET}\n`);
  return { key_file: "data-api-key" };
}

describe.each(cases)("a key %s that is %s", (way, _end, right) => {
  it("is in no page, log or command output", async () => {
    const hosted = await simulateHosted({ key: right });
    cleanUpAfter(hosted.close);
    const dir = await folder();
    const config = { data_api: { url: hosted.dataUrl, ...(await sectionOf(way, dir)), chains: ["43114"] } };
    const file = await writeConfig(dir, config);
    const daemon = await daemonWith([`--config.file=${file}`, "--log.level=debug"]);
    const taken = right === SECRET ? 1 : 0;
    await vi.waitFor(
      async () =>
        expect(await (await daemon.get("/metrics")).text()).toContain(`avax_hosted_key_accepted{api="data"} ${taken}`),
      WITHIN,
    );
    const shown = await Promise.all(
      [...PAGES, "/metrics"].map(async (path, i) =>
        (await daemon.get(path, i === PAGES.length ? "application/openmetrics-text" : "*/*")).text(),
      ),
    );
    // A reload and the commands report another fault next to the key.
    const bad = { data_api: { ...config.data_api, chains: [43114], key_header: "not a header" } };
    await writeFile(file, JSON.stringify(bad));
    shown.push(await (await fetch(`${daemon.address}/-/reload`, { method: "POST" })).text());
    const commands = [["check-config"], ["call", "data-api", "GET /v1/chains"]];
    await writeConfig(dir, config, "good.yaml");
    for (const name of [file, join(dir, "good.yaml")])
      for (const command of commands) {
        const { system, written } = writtenSystem({ env: { HOSTED_KEY_OF_THE_TEST: SECRET } });
        await execute([...command, `--config.file=${name}`], system);
        shown.push(written.out, written.err);
      }
    await daemon.child.stop();
    shown.push(daemon.child.stdout(), daemon.child.stderr());
    vi.unstubAllEnvs();
    const all = shown.join("\n");
    for (const secret of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)])
      expect(all).not.toContain(secret);
    // The checked texts exist: the masked key of the page, the error of the service, the fault of the file.
    expect(all).toContain(way === "in a variable" ? "key: <secret>" : "avax_hosted_up");
    expect(all).toContain("must be an EVM chain ID in quotes");
    if (taken === 0) expect(all).toContain("Invalid API key <secret>");
  });
});
