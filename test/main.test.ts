import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startChild, written } from "./e2e/support/child.ts";
import { PROGRAM, writeConfig } from "./e2e/support/daemon.ts";
import { cleanUpAfter, folder } from "./e2e/support/harness.ts";

/** Prints at its end where a process keeps compiled code. */
const SHOW_CACHE =
  'data:text/javascript,import{getCompileCacheDir}from"node:module";' +
  'process.on("exit",()=>process.stderr.write(`CACHE ${getCompileCacheDir()}\\n`))';

test("a start from a clone compiles into the clone", async () => {
  const config = await writeConfig(await folder(), { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  const flags = [`--config.file=${config}`, "--storage.path=", "--web.listen-address=127.0.0.1:0"];
  // The tests have a cache of their own, which a person does not have.
  const child = startChild(process.execPath, [`--import=${SHOW_CACHE}`, PROGRAM, ...flags], { NODE_COMPILE_CACHE: "" });
  cleanUpAfter(child.stop);
  const [, address = ""] = await written(child, /address=(http:\S+)/);
  expect((await fetch(`${address}/metrics`)).status).toBe(200);
  child.signal("SIGTERM");
  const [, cache = ""] = await written(child, /^CACHE (.*)$/m);
  expect(await child.exited).toBe(0);
  expect(dirname(cache)).toBe(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  expect((await readdir(cache)).length).toBeGreaterThan(300);
});

/** A module of Node.js that is broken in a way that the program does not expect. */
const BROKEN =
  'data:text/javascript,import os from"node:os";import{syncBuiltinESMExports}from"node:module";' +
  'os.hostname=()=>{throw new Error("broken \\u001b[2J")};syncBuiltinESMExports()';

test("a defect ends with exit code 70, the version and a short stack", async () => {
  const child = startChild(process.execPath, [`--import=${BROKEN}`, PROGRAM, "--version"]);
  cleanUpAfter(child.stop);
  expect(await child.exited).toBe(70);
  expect(child.stderr()).toMatch(
    /^avax-exporter: defect, please report it with these lines: avax-exporter \d\S* \(.+\), node v\S+\nError: broken \\u001b\[2J\n {4}at /,
  );
  expect(child.stderr().trimEnd().split("\n").length).toBeLessThan(8);
});

/** A mount that hangs: whoever looks at the file `hung` waits in a thread of the process for ever, as the reader of a pipe does. */
const HUNG_MOUNT =
  'data:text/javascript,import fs from"node:fs/promises";import{syncBuiltinESMExports}from"node:module";' +
  'const stat=fs.stat;fs.stat=(path)=>path.endsWith("hung")?fs.open(path):stat(path);syncBuiltinESMExports()';

test("a pipe as history is ignored, and a reload that hangs stops neither the pages nor the end of the process", async () => {
  const path = await folder();
  const nodes = [{ name: "a", url: "http://127.0.0.1:1" }];
  const config = await writeConfig(path, { nodes });
  execFileSync("mkfifo", [join(path, "history.ndjson"), join(path, "hung")]);
  const flags = [`--config.file=${config}`, "--web.listen-address=127.0.0.1:0", `--storage.path=${path}`];
  const child = startChild(process.execPath, [`--import=${HUNG_MOUNT}`, PROGRAM, ...flags]);
  cleanUpAfter(child.stop);
  const [, address = ""] = await written(child, /address=(http:\S+)/);
  expect(child.stderr()).toMatch(/why="it is not a regular file" .*|the history is ignored/);
  await writeFile(config, JSON.stringify({ nodes: nodes.map((each) => ({ ...each, bearer_token_file: "hung" })) }));
  child.signal("SIGHUP");
  expect((await fetch(`${address}/metrics`)).status).toBe(200);
  const began = performance.now();
  child.signal("SIGTERM");
  expect(await child.exited).toBe("SIGTERM");
  expect(performance.now() - began).toBeLessThan(5_000);
});
