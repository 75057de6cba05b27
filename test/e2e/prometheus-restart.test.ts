import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runExporter } from "./support/daemon.ts";
import { cleanUpAfter, folder } from "./support/harness.ts";
import { freePort } from "./support/recording-server.ts";
import { answered, runPrometheus } from "./support/run-server.ts";

/** What happens to a page while Prometheus restarts, in seconds instead of minutes. */

const RULE = { alert: "AvaxPage", expr: "vector(1) == 1", for: "3s" };
const CONFIG = { global: { evaluation_interval: "1s" }, rule_files: ["rules.yaml"] };

type Seen = { readonly state: string; readonly activeAt: string };

/** A Prometheus that goes on with what is in a folder. */
async function started(path: string, grace: readonly string[]) {
  const { child, url } = await runPrometheus(path, CONFIG, { flags: grace });
  cleanUpAfter(child.stop);
  const alert = async (): Promise<Seen | undefined> => {
    const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as { data: { alerts: readonly Seen[] } };
    return data.alerts[0];
  };
  return { stop: child.stop, alert };
}

/** Since when its condition has lasted once it fires, in seconds: Prometheus stores no fractions. */
async function firingSince({ alert }: Awaited<ReturnType<typeof started>>): Promise<number> {
  const isFiring = (seen: Seen | undefined) => (seen?.state === "firing" ? seen : undefined);
  const { activeAt } = await vi.waitUntil(async () => isFiring(await alert()), { timeout: 40_000, interval: 100 });
  return Math.trunc(Date.parse(activeAt) / 1_000);
}

async function goesOn(grace: readonly string[]): Promise<boolean> {
  const path = await folder();
  await writeFile(join(path, "rules.yaml"), JSON.stringify({ groups: [{ name: "pages", rules: [RULE] }] }));
  const first = await started(path, grace);
  const since = await firingSince(first);
  await first.stop();
  return (await firingSince(await started(path, grace))) === since;
}

it("a page with a short `for` goes on over a restart with the stack's flag", { timeout: 120_000 }, async () => {
  // The stack's is at most the `for` of every rule. 10 minutes are the default: longer than this `for`.
  const both = [["--rules.alert.for-grace-period=1s"], []];
  expect(await Promise.all(both.map(goesOn))).toEqual([true, false]);
});

it("Prometheus and the exporter can have one working directory: both keep what they know in data/", async () => {
  const cwd = await folder();
  const { child: prometheus } = await runPrometheus(cwd, {}, { flags: ["--storage.tsdb.use-lockfile"] });
  cleanUpAfter(prometheus.stop);
  const port = await freePort();
  const exporter = runExporter([`--web.listen-address=127.0.0.1:${port}`], { cwd });
  cleanUpAfter(exporter.stop);
  await answered(exporter, `http://127.0.0.1:${port}/-/healthy`);
  expect(exporter.stderr()).not.toContain("nothing is kept");
  await prometheus.stop();
  expect(prometheus.stderr()).not.toContain("lock");
  // With the exporter's files in its folder, it starts again.
  const { child: again } = await runPrometheus(cwd, {}, { flags: ["--storage.tsdb.use-lockfile"] });
  cleanUpAfter(again.stop);
});
