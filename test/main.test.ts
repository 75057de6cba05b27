import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { startChild, written } from "./e2e/support/child.ts";
import { PROGRAM, writeConfig } from "./e2e/support/daemon.ts";
import { cleanUpAfter, folder } from "./e2e/support/harness.ts";

/** Prints at its end which parts of Node.js a process loaded. */
const SHOW_LOADED =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(`LOADED ${JSON.stringify(process.moduleLoadList)}\\n`))';

test("a start from a clone compiles into the clone, and does not load the undici that Node.js has for itself", async () => {
  const config = await writeConfig(await folder(), { nodes: [{ name: "a", url: "http://127.0.0.1:1" }] });
  const flags = [`--config.file=${config}`, "--web.listen-address=127.0.0.1:0"];
  const child = startChild(process.execPath, [`--import=${SHOW_LOADED}`, PROGRAM, ...flags]);
  cleanUpAfter(child.stop);
  const [, address = ""] = await written(child, /address=(http:\S+)/);
  expect((await fetch(`${address}/metrics`)).status).toBe(200);
  child.signal("SIGTERM");
  const [, loaded = ""] = await written(child, /^LOADED (.*)$/m);
  expect(await child.exited).toBe(0);
  expect(loaded).toContain("NativeModule http");
  expect(loaded).not.toContain("internal/deps/undici");
  const compiled = await readdir(new URL("../node_modules/.cache/compiled", import.meta.url), { recursive: true });
  expect(compiled.length).toBeGreaterThan(300);
});
