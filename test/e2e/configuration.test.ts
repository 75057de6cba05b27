import { hostname } from "node:os";
import { describe, expect, it, vi } from "vitest";
import { localName } from "../../src/config/default-config.ts";
import { serveSockets } from "../support/servers.ts";
import { writeConfig } from "./support/daemon.ts";
import { daemonWith, folder, value, WITHIN } from "./support/harness.ts";

describe("without any configuration", () => {
  const name = localName(hostname());

  it("polls the node of this machine, and reports that", async () => {
    const daemon = await daemonWith([]);
    expect(daemon.child.stderr()).toMatch(
      /"url":"http:\/\/127\.0\.0\.1:9650".*no configuration file: watching the local node/,
    );
    expect((await daemon.status()).targets.map(({ name, url }) => ({ name, url }))).toEqual([
      { name, url: "http://127.0.0.1:9650" },
    ]);
    // A node may or may not run on this machine; it must be polled.
    await vi.waitFor(
      async () => expect(await value(daemon, "avax_poll_duration_seconds_count", { node: name })).toBeGreaterThan(0),
      WITHIN,
    );
    expect(await value(daemon, "avax_node_configured", { node: name })).toBe(1);
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
