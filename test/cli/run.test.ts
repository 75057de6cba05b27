import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Flags } from "../../src/cli/flags.ts";
import { run } from "../../src/cli/run.ts";
import { writtenSystem } from "../support/written-system.ts";

/** Exit code and words of a start that is refused. */
async function refused(flags: Flags): Promise<{ readonly code: number; readonly err: string }> {
  const { system, written } = writtenSystem({ hostname: "here" });
  return { code: await run(flags, system), err: written.err };
}

it.each<[Flags, string]>([
  [{ "log.level": "verbose" }, '--log.level is debug, info, warn or error, not "verbose"\n'],
  [{ "log.format": "text" }, '--log.format is logfmt or json, not "text"\n'],
  [
    { "web.listen-address": "9750" },
    '--web.listen-address is host:port, :port or [IPv6]:port, not "9750"; for the port alone write :9750\n',
  ],
  [{ "web.listen-address": "here" }, '--web.listen-address is host:port, :port or [IPv6]:port, not "here"\n'],
])("refuses %j in a sentence", async (flags, sentence) => {
  expect(await refused(flags)).toEqual({ code: 2, err: sentence });
});

it("tells the problems of both files at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "avax-exporter-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [config, web] = [join(folder, "c.yaml"), join(folder, "web.yaml")];
  writeFileSync(config, "nodes:\n  - name: a\n");
  writeFileSync(web, "basic_auth_users:\n  prometheus: plain\n");
  expect(await refused({ "config.file": config, "web.config.file": web })).toEqual({
    code: 1,
    err: [
      `${config}:2:5: url is missing; it must be a URL such as http://127.0.0.1:9650\n`,
      `${web}:2:15: basic_auth_users.prometheus must be a bcrypt hash, as htpasswd -nB prints it behind the colon; found text\n`,
    ].join(""),
  });
});
