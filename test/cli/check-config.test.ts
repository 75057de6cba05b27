import { expect, it } from "vitest";
import { folderWith } from "../support/folders.ts";
import { execute } from "../../src/cli/execute.ts";
import { selfSigned } from "../support/certificates.ts";
import { writtenSystem } from "../support/written-system.ts";

const NODES = ["a", "b", "validator-1", "validator-2", "fuji-1"];

/** The output of the command for a configuration, without the folder of its file. */
async function check(text: string, flags: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ "c.yaml": text });
  const { system, written } = writtenSystem();
  const given = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const code = await execute(["check-config", `--config.file=${folder}/c.yaml`, ...given], system);
  return { code, out: written.out.replaceAll(`${folder}/`, ""), err: written.err.replaceAll(`${folder}/`, "") };
}

const fleet = (more = "") =>
  `nodes:\n${NODES.map((name) => `  - { name: ${name}, url: "http://${name}:9650"${more} }\n`).join("")}`;
const NAMED = fleet(", network: mainnet");

it("prints the number of nodes of a valid configuration", async () => {
  expect(await check(fleet())).toEqual({ code: 0, out: "c.yaml: valid, 5 nodes\n", err: "" });
});

it("prints the nodes of each shard", async () => {
  expect(await check(NAMED, { "shard.total": "3" })).toEqual({
    code: 0,
    out: [
      "c.yaml: valid, 5 nodes",
      "shard 0: 2 nodes: b, validator-2",
      "shard 1: 1 node: validator-1",
      "shard 2: 2 nodes: a, fuji-1",
      "",
    ].join("\n"),
    err: "",
  });
});

it("requires the network of every node for several shards", async () => {
  const text = `${fleet()}  - { name: named, url: "http://named:9650", network: fuji }\n`;
  const { code, err } = await check(text, { "shard.total": "2" });
  const missing = "network is missing: shards do not poll the nodes of other shards for it";
  expect([code, err.split("\n")]).toEqual([
    1,
    [...[2, 3, 4, 5, 6].map((line) => `c.yaml:${line}:5: ${missing}`), "c.yaml: 5 problems", ""],
  ]);
  expect((await check(text)).code).toBe(0);
  expect((await check(text, { "shard.total": "1" })).code).toBe(0);
});

/** The output of the command for a web configuration beside a valid configuration. */
async function checkWeb(web: string, files: Readonly<Record<string, string>> = {}, isAlone = false) {
  const folder = folderWith({ "c.yaml": fleet(), "web.yaml": web, ...files });
  const { system, written } = writtenSystem();
  const config = isAlone ? [] : [`--config.file=${folder}/c.yaml`];
  const code = await execute(["check-config", ...config, `--web.config.file=${folder}/web.yaml`], system);
  return { code, out: written.out.replaceAll(`${folder}/`, ""), err: written.err.replaceAll(`${folder}/`, "") };
}

it("checks the web configuration, with or without the other one", async () => {
  const web = "auth_excluded_paths: [/-/healthy]\nrate_limit: { interval: 1s, burst: 20 }\n";
  expect(await checkWeb(web)).toEqual({ code: 0, out: "c.yaml: valid, 5 nodes\nweb.yaml: valid\n", err: "" });
  expect(await checkWeb(web, {}, true)).toEqual({ code: 0, out: "web.yaml: valid\n", err: "" });
  expect(await checkWeb("auth_excluded_paths: [/config]\nrate_limit: { interval: soon }\n")).toEqual({
    code: 1,
    out: "c.yaml: valid, 5 nodes\n",
    err: [
      'web.yaml:1:23: auth_excluded_paths[0] must be /-/healthy or /-/ready: every other path shows or changes something; found "/config"',
      'web.yaml:2:25: rate_limit.interval must be a value from 0s to 1h such as 1s or 200ms; 0 switches the limit off; found "soon"',
      "web.yaml: 2 problems",
      "",
    ].join("\n"),
  });
});

it("finds a key that does not belong to the certificate", async () => {
  const [{ cert, key }, other] = [selfSigned(), selfSigned()];
  const web = "# TLS\ntls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n";
  expect((await checkWeb(web, { "cert.pem": cert, "key.pem": key })).code).toBe(0);
  expect(await checkWeb(web, { "cert.pem": cert, "key.pem": other.key })).toMatchObject({
    code: 1,
    err: "web.yaml:3:3: tls_server_config: the key does not belong to the certificate\nweb.yaml: 1 problem\n",
  });
});

it("requires a file", async () => {
  const { system, written } = writtenSystem();
  expect(await execute(["check-config"], system)).toBe(2);
  expect(written.err).toBe("avax-exporter check-config: --config.file=FILE or --web.config.file=FILE is missing\n");
});
