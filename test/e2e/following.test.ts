import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { RunningDaemon } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, folder, value, WITHIN } from "./support/harness.ts";
import { closeServer, listenOn } from "./support/recording-server.ts";

/** A server of a node that answers nothing useful, and the credentials that it was last asked with. */
async function asked(): Promise<{ readonly url: string; readonly last: () => string | undefined }> {
  let last: string | undefined;
  const server = createServer(({ headers }, response) => {
    last = headers.authorization;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const port = await listenOn(server);
  cleanUpAfter(() => closeServer(server));
  return { url: `http://127.0.0.1:${port}`, last: () => last };
}

/** A folder as Kubernetes mounts a ConfigMap: names that lead through the link `..data`, which `swap` replaces atomically. */
async function mounted(files: Readonly<Record<string, string>>) {
  const path = await folder();
  let version = 0;
  async function swap(next: Readonly<Record<string, string>>): Promise<void> {
    const made = `..version-${++version}`;
    await mkdir(join(path, made));
    for (const [name, text] of Object.entries(next)) await writeFile(join(path, made, name), text);
    await symlink(made, join(path, "..data_tmp"));
    await rename(join(path, "..data_tmp"), join(path, "..data"));
    if (version > 1) await rm(join(path, `..version-${version - 1}`), { recursive: true });
  }
  await swap(files);
  for (const name of Object.keys(files)) await symlink(join("..data", name), join(path, name));
  return { path, swap };
}

const configOf = (name: string, url: string): string =>
  `nodes:\n  - name: ${name}\n    url: ${url}\n    bearer_token_file: token\nendpoints:\n  health: { every: 1s }\n`;

const successful = (daemon: RunningDaemon) => value(daemon, "avax_exporter_config_last_reload_successful", {});
const reloadedAt = (daemon: RunningDaemon) =>
  value(daemon, "avax_exporter_config_last_reload_success_timestamp_seconds", {});

const configured = (daemon: RunningDaemon, node: string) => value(daemon, "avax_node_configured", { node });

describe("with --config.enable-auto-reload", () => {
  const AUTO = ["--config.enable-auto-reload", "--config.auto-reload-interval=1s"];

  it("follows the swap of a ConfigMap and its secret, and keeps the old configuration while the new one is wrong", async () => {
    const node = await asked();
    const good = configOf("a", node.url);
    const { path, swap } = await mounted({ "config.yaml": good, token: "first\n" });
    const daemon = await daemonWith([`--config.file=${join(path, "config.yaml")}`, ...AUTO]);
    await vi.waitFor(() => expect(node.last()).toBe("Bearer first"), WITHIN);
    const startedAt = await reloadedAt(daemon);

    await swap({ "config.yaml": good, token: "second\n" });
    await vi.waitFor(() => expect(node.last()).toBe("Bearer second"), WITHIN);
    expect(await reloadedAt(daemon)).toBeGreaterThan(startedAt ?? NaN);

    await swap({ "config.yaml": good.replace("name: a", "nam: a"), token: "second\n" });
    await vi.waitFor(async () => expect(await successful(daemon)).toBe(0), WITHIN);
    expect(await configured(daemon, "a")).toBe(1);

    await swap({ "config.yaml": configOf("b", node.url), token: "second\n" });
    await vi.waitFor(async () => expect(await configured(daemon, "b")).toBe(1), WITHIN);
    expect(await successful(daemon)).toBe(1);
    expect(await configured(daemon, "a")).toBeUndefined();
    // Each change was loaded once: the wrong one not again and again.
    expect(daemon.child.stderr().match(/"configuration files changed"/g)).toHaveLength(3);
    expect(daemon.child.stderr().match(/"reload failed: the old configuration stays"/g)).toHaveLength(1);
  });
});
