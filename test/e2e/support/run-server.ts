import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { startChild, type Child } from "./child.ts";
import { freePort } from "./recording-server.ts";
import { requireTool } from "./tools.ts";

/** Prometheus and Alertmanager as their own processes, each with its data in a folder. */

export type RunningServer = { readonly child: Child; readonly url: string };

type Options = { readonly flags?: readonly string[]; readonly port?: number };

/** @param config of Prometheus, which has its other files in the same folder */
export function runPrometheus(folder: string, config: object, options: Options = {}): Promise<RunningServer> {
  return run("prometheus", folder, config, "--storage.tsdb.path", options);
}

/** @param config of Alertmanager, which has its other files in the same folder */
export function runAlertmanager(folder: string, config: object, { flags = [] }: Options = {}): Promise<RunningServer> {
  return run("alertmanager", folder, config, "--storage.path", { flags: ["--cluster.listen-address=", ...flags] });
}

async function run(
  tool: "prometheus" | "alertmanager",
  folder: string,
  config: object,
  data: string,
  { flags = [], port }: Options,
): Promise<RunningServer> {
  const file = join(folder, `${tool}.yml`);
  await writeFile(file, JSON.stringify(config));
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const child = startChild(requireTool(tool), [
    `--config.file=${file}`,
    `${data}=${join(folder, "data")}`,
    `--web.listen-address=${address}`,
    "--log.level=warn",
    ...flags,
  ]);
  await answered(child, `http://${address}/-/ready`);
  return { child, url: `http://${address}` };
}

/** Resolves when a server answers with 200. @throws Error with what its process wrote, where it ended or takes longer than two minutes */
export async function answered(child: Child, url: string, headers: Record<string, string> = {}): Promise<void> {
  let patient = performance.now() + 120_000;
  const ended = (): void => void (patient = 0);
  // A program that cannot be started rejects: that is an end too, not an error outside of a test.
  void child.exited.then(ended, ended);
  while (
    !(await fetch(url, { headers }).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > patient) throw new Error(`${url} does not answer: ${child.stderr().slice(-2_000)}`);
    await after(50);
  }
}

/** Asks Prometheus. @throws Error with what it answers instead */
export async function askPrometheus<T>(url: string, path: string, asked: Readonly<Record<string, string>>): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}`, { method: "POST", body: new URLSearchParams(asked) });
  const { data, error } = (await response.json()) as { readonly data?: T; readonly error?: string };
  if (data === undefined) throw new Error(`${path} ${asked["query"] ?? ""}: ${error ?? response.status}`);
  return data;
}
