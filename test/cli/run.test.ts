import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../support/folders.ts";
import { execute } from "../../src/cli/execute.ts";
import { writtenSystem } from "../support/written-system.ts";

/** Exit code and error of a refused start. */
async function refused(...args: readonly string[]): Promise<{ readonly code: number; readonly err: string }> {
  const { system, written } = writtenSystem({ hostname: "here" });
  return { code: await execute(args, system), err: written.err };
}

it.each([
  [
    ["--config.auto-reload-interval=5s"],
    "--config.auto-reload-interval has no effect without --config.enable-auto-reload",
  ],
  [
    ["--config.enable-auto-reload"],
    "--config.enable-auto-reload has no effect without --config.file or --web.config.file",
  ],
])("refuses %j in a sentence", async (args, sentence) => {
  expect(await refused(...args)).toEqual({ code: 2, err: `${sentence}\n` });
});

it("prints the problems of both files at once", async () => {
  const folder = folderWith({
    "c.yaml": "nodes:\n  - name: a\n",
    "web.yaml": "basic_auth_users:\n  prometheus: plain\n",
  });
  const [config, web] = [join(folder, "c.yaml"), join(folder, "web.yaml")];
  expect(await refused(`--config.file=${config}`, `--web.config.file=${web}`)).toEqual({
    code: 1,
    err: [
      `${config}:2:5: url is missing; it must be a URL such as http://127.0.0.1:9650\n`,
      `${web}:2:15: basic_auth_users.prometheus must be a bcrypt hash with a cost of 14 at most, as printed by htpasswd -nB after the colon; found text\n`,
    ].join(""),
  });
});

it("refuses --web.enable-debug without a login", async () => {
  expect(await refused("--storage.path=", "--web.enable-debug", "--web.listen-address=127.0.0.1:0")).toEqual({
    code: 1,
    err: expect.stringMatching(
      /\n--web\.enable-debug requires basic_auth_users, or client_auth_type RequireAndVerifyClientCert, in the file of --web\.config\.file: heap snapshots hold credentials\n$/,
    ) as string,
  });
});
