import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { simulate, type Simulation } from "../../../simulator/simulate.ts";
import { execute } from "../../../src/cli/execute.ts";
import { freePort } from "../../e2e/support/recording-server.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { writtenSystem } from "../../support/written-system.ts";

let simulation: Simulation;
beforeAll(async () => {
  simulation = await simulate({ nodes: 3, tidy: true });
});
afterAll(() => simulation.close());
const url = (node: number): string => simulation.nodes[node - 1]?.url ?? "";
const id = (node: number): string => simulation.nodes[node - 1]?.nodeId ?? "";

/** Runs `init --add` on a file with this text. */
async function add(text: string, ...args: readonly string[]) {
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const path = join(folder.path, "c.yaml");
  writeFileSync(path, text);
  writeFileSync(join(folder.path, "urls.txt"), `# mine\n\n${url(2)}\n  ${url(3)}/\n`);
  writeFileSync(join(folder.path, "wrong.txt"), `${url(2)}\n10.0.0.1:9650\n`);
  const { system, written } = writtenSystem();
  const given = args.map((each) => each.replace("--from=", `--from=${folder.path}/`));
  const code = await execute(["init", "--add", `--output=${path}`, ...given], system);
  const plain = (all: string): string => all.replaceAll(path, "c.yaml").replaceAll(`${folder.path}/`, "");
  return { code, file: readFileSync(path, "utf8"), out: plain(written.out), err: plain(written.err) };
}

const mine = (): string =>
  `# Mine: kept as it is.\nwatch:   { observers: 3 }\nnodes:\n    - url: "${url(1)}"   # the first\n      name: local-1\n\n# alerts: none yet\n`;

it("adds a node behind the others, and changes no other byte", async () => {
  const { code, file, out } = await add(mine(), url(2));
  expect(code).toBe(0);
  const [before = "", after = ""] = mine().split("\n\n# alerts");
  expect(file.startsWith(`${before}\n`)).toBe(true);
  expect(file.endsWith(`\n\n# alerts${after}`)).toBe(true);
  const added = file.slice(before.length + 1, file.length - `\n# alerts${after}`.length);
  expect(added.replace(/^ {4}# .*\n/gm, "")).toBe(
    `    - name: local-2\n      url: ${url(2)}\n      network: local\n      node_id: ${id(2)}\n`,
  );
  expect(added).toContain("    # avalanchego/1.15.0; validator with a stake of ");
  expect(out).toContain("Added local-2 to c.yaml: valid, 2 nodes.\n");
  expect(out).toMatch(/^Subnet 2qPT\w+ is not in c.yaml: add it under subnets, and to its nodes\.$/m);
});

it("gives the node the subnets that the file has", async () => {
  const subnet = "2qPTqrRSAV5RPqSKgkkA31eVv5QXWv3FqfKj7QNwy1LviRJCx6";
  const { file, out } = await add(
    `${mine()}subnets: [{ id: ${subnet}, name: my-l1 }]\n`,
    url(1).replace("127.0.0.1", "localhost"),
  );
  expect(file).toContain("      subnets: [my-l1]\n");
  expect(out).not.toContain(subnet + " is not in");
});

it("adds all of a list", async () => {
  const { code, file } = await add(mine(), "--from=urls.txt");
  expect([code, file.match(/name: \S+/g)]).toEqual([0, ["name: local-1", "name: local-2", "name: local-3"]]);
});

it.each<[string, () => string, () => readonly string[], string]>([
  ["a node that is there by its URL", mine, () => [url(1)], "c.yaml has local-1 already, so nothing was written"],
  [
    "a node that is there by its ID",
    () => mine().replace("name: local-1", `name: local-1\n      node_id: ${id(1)}`),
    () => [url(1).replace("127.0.0.1", "localhost")],
    "c.yaml has local-1 already, so nothing was written",
  ],
  ["a URL without a node", mine, () => [url(2), `http://127.0.0.1:${0}`], "no answer, so nothing was written"],
  ["a list with a wrong line", mine, () => ["--from=wrong.txt"], 'wrong.txt:2: "10.0.0.1:9650" is not a URL such as'],
  ["a list that is absent", mine, () => ["--from=none.txt"], '"none.txt" cannot be read: no such file'],
  ["an invalid file", () => "nodez: []\n", () => [url(2)], "nodez"],
])("%s changes nothing", async (_name, text, args, problem) => {
  const { code, file, err } = await add(text(), ...args().map((each) => each.replace(/:0$/, ":1")));
  expect([code, file]).toEqual([1, text()]);
  expect(err).toContain(problem);
});

it("needs a file", async () => {
  const { system, written } = writtenSystem();
  const path = `/nowhere/${await freePort()}.yaml`;
  expect(await execute(["init", "--add", `--output=${path}`, url(1)], system)).toBe(1);
  expect(written.err).toBe(`avax-exporter init: "${path}" cannot be read: no such file\n`);
  expect(await execute(["init", "--add", "--stack", url(1)], system)).toBe(2);
});
