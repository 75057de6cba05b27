import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { writeConfig } from "./support/daemon.ts";
import { serveSockets } from "../support/servers.ts";
import { daemonWith, EVERY_SECOND, folder, serverOf, value, WITHIN } from "./support/harness.ts";
import { loadRecording } from "./support/recording.ts";

const FRESH = loadRecording("local-fresh-network");

const BAD_CONFIG = `nodes:
  - name: a
    url: ftp://127.0.0.1
  - name: a
    url: http://127.0.0.1:1
    colour: blue
endpoints:
  info.peers: { every: soon }
`;

describe("a wrong configuration", () => {
  it("keeps the old one active after a reload, until a valid one comes", async () => {
    const { url } = await serverOf(FRESH);
    const file = await writeConfig(await folder(), { nodes: [{ name: "a", url }], endpoints: EVERY_SECOND });
    const good = await readFile(file, "utf8");
    const daemon = await daemonWith([`--config.file=${file}`]);
    await vi.waitUntil(() => daemon.isReady(), WITHIN);
    const successful = () => value(daemon, "avax_exporter_config_last_reload_successful", {});
    const reload = () => fetch(`${daemon.address}/-/reload`, { method: "POST" });
    const loadedAt = await value(daemon, "avax_exporter_config_last_reload_success_timestamp_seconds", {});
    expect(await successful()).toBe(1);

    await writeFile(file, BAD_CONFIG);
    daemon.child.signal("SIGHUP");
    await vi.waitFor(async () => expect(await successful()).toBe(0), WITHIN);
    const refused = await reload();
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain(`${file}:3:10: `);
    expect(await value(daemon, "avax_node_healthy")).toBe(1);
    expect(await value(daemon, "avax_exporter_config_last_reload_success_timestamp_seconds", {})).toBe(loadedAt);

    await rm(file);
    execFileSync("mkfifo", [file]);
    expect(await (await reload()).text()).toContain("it is not a regular file");
    await rm(file);
    await writeFile(file, good.replace('"a"', '"b"'));
    daemon.child.signal("SIGHUP");
    await vi.waitFor(async () => expect(await value(daemon, "avax_node_healthy", { node: "b" })).toBe(1), WITHIN);
    expect(await successful()).toBe(1);
    expect(await value(daemon, "avax_node_configured")).toBeUndefined();
    await writeFile(file, good);
    expect((await reload()).status).toBe(200);
    await vi.waitFor(async () => expect(await value(daemon, "avax_node_healthy")).toBe(1), WITHIN);
  });
});

describe("without any configuration", () => {
  it("polls the node of this machine, and reports that", async () => {
    const daemon = await daemonWith([]);
    expect(daemon.child.stderr()).toMatch(
      /"url":"http:\/\/127\.0\.0\.1:9650".*no configuration file: watching the local node/,
    );
    expect((await daemon.status()).targets.map(({ name, url }) => ({ name, url }))).toEqual([
      { name: "local", url: "http://127.0.0.1:9650" },
    ]);
    // A node may or may not run on this machine; it must be polled.
    await vi.waitFor(
      async () =>
        expect(
          await value(daemon, "avax_poll_duration_seconds_count", { node: "local", api_endpoint: "health" }),
        ).toBeGreaterThan(0),
      WITHIN,
    );
    expect(await value(daemon, "avax_node_configured", { node: "local" })).toBe(1);
  });

  it("stops cleanly in the middle of a reload", async () => {
    const daemon = await daemonWith([]);
    daemon.child.signal("SIGHUP");
    daemon.child.signal("SIGTERM");
    expect(await daemon.child.exited).toBe(0);
    // The system decides which of the two signals arrives first; both orders must end cleanly.
    expect(daemon.child.stderr()).toMatch(/"stopped"/);
    expect(daemon.child.stderr()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it("does not wait for a node that never answers the TLS handshake", async () => {
    const silent = await serveSockets((socket) => void socket.resume());
    const url = silent.url.replace("http:", "https:");
    const daemon = await daemonWith([
      `--config.file=${await writeConfig(await folder(), { nodes: [{ name: "a", url }] })}`,
    ]);
    await vi.waitUntil(() => silent.connections() > 0, WITHIN);
    daemon.child.signal("SIGTERM");
    const at = performance.now();
    expect(await daemon.child.exited).toBe(0);
    // Its connections would take ten.
    expect(performance.now() - at).toBeLessThan(9_000);
  });
});
