import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folderWith } from "../support/folders.ts";
import { execute } from "../../src/cli/execute.ts";
import { simulateHosted } from "../../simulator/hosted/hosted.ts";
import type { HostedFault } from "../../simulator/hosted/hosted-reply.ts";
import { writtenSystem } from "../support/written-system.ts";
import { serve } from "../support/servers.ts";

/** What `once` prints to standard error about a Data API with a fault, asked about eight chains, and its exit code. */
async function onceWith(fault: HostedFault | undefined, key?: string) {
  const hosted = await simulateHosted(key === undefined ? {} : { key });
  onTestFinished(hosted.close);
  hosted.set("data", fault);
  const chains = ["43114", "43113", "1", "2", "3", "4", "5", "6"];
  const config = JSON.stringify({ data_api: { url: hosted.dataUrl, key: "wrong", chains } });
  const file = join(folderWith({ "c.yaml": config }), "c.yaml");
  const { system, written } = writtenSystem();
  const began = performance.now();
  const code = await execute(["once", `--config.file=${file}`, "--once.timeout=20s"], system);
  return { code, lines: written.err.trimEnd().split("\n"), out: written.out, took: performance.now() - began };
}

it.each(["rate-limited", "unavailable"] as const)(
  "a service that is %s: its failures, and the polls that it did not get are one line, without a wait",
  async (fault) => {
    const { code, lines, took } = await onceWith(fault);
    expect(code).toBe(1);
    expect(took).toBeLessThan(15_000);
    const reason = fault === "unavailable" ? "http_status: HTTP 503" : "rate_limited: HTTP 429";
    expect(lines.slice(0, -1).every((line) => line.includes(reason))).toBe(true);
    expect(lines.at(-1)).toMatch(/^data-api: \d+ other polls were not sent: the service refused or failed$/);
  },
);

it("a refused key fails the polls that need it, each with its reason", async () => {
  const { code, lines } = await onceWith(undefined, "right");
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^data-api: data\.\S+.*: unauthorized: HTTP 401/);
});

it("a node that does not answer in time is a line for each poll", async () => {
  const { url } = await serve(() => undefined);
  const folder = folderWith({ "c.yaml": JSON.stringify({ nodes: [{ name: "a", url }] }) });
  const { system, written } = writtenSystem();
  const args = ["once", `--config.file=${join(folder, "c.yaml")}`, "--once.timeout=1s"];
  expect(await execute(args, system)).toBe(1);
  expect(written.err).toContain("a: health: no answer before the timeout\n");
});
