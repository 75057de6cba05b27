import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, type Plugin } from "rolldown";

/**
 * Writes `dist/avax-exporter.mjs`, or what `--file` names: the exporter and everything that it needs in one file that plain
 * Node.js runs. `--plain` keeps it readable. The version is that of package.json.
 */

const { values: flags } = parseArgs({
  options: { file: { type: "string", default: "dist/avax-exporter.mjs" }, plain: { type: "boolean", default: false } },
});

const ROOT = join(import.meta.dirname, "..");

/** Half the size; names are kept in stack traces. */
const MINIFY = flags.plain
  ? false
  : { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } };

/**
 * Parts of libraries that load much and that nothing here uses: they would cost time and memory at each start.
 * By the path that imports see, with what stands in their place.
 */
const UNUSED: ReadonlyArray<readonly [path: RegExp, source: string]> = [
  // Error messages in forty languages.
  [/\/zod\/v4\/locales\/index\.js$/, "export {};"],
  // fetch, caches, mocks, proxies. What the client imports is named here; the build fails when something is missing.
  [
    /\/undici\/index\.js$/,
    `import Dispatcher from "./lib/dispatcher/dispatcher.js";
     import api from "./lib/api/index.js";
     Object.assign(Dispatcher.prototype, api);
     export { default as Pool } from "./lib/dispatcher/pool.js";
     export { default as Client } from "./lib/dispatcher/client.js";
     export { WebSocket } from "./lib/web/websocket/websocket.js";`,
  ],
];

const leaveOut: Plugin = {
  name: "leave-out-unused-parts",
  load: {
    filter: { id: UNUSED.map(([path]) => path) },
    handler: (id) => UNUSED.find(([path]) => path.test(id))?.[1],
  },
};

/** The thread that checks passwords is started from a URL: the bundle carries its whole text in one. */
const carryWorker: Plugin = {
  name: "carry-the-worker",
  load: {
    filter: { id: /\/src\/http\/password-worker-url\.ts$/ },
    async handler() {
      const { output } = await build({
        cwd: ROOT,
        input: "src/http/password-worker.ts",
        platform: "node",
        write: false,
        output: { format: "esm", minify: MINIFY, codeSplitting: false },
      });
      const url = `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`;
      return `export const PASSWORD_WORKER = new URL(${JSON.stringify(url)});`;
    },
  },
};

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { output } = await build({
  cwd: ROOT,
  input: "src/main.ts",
  platform: "node",
  plugins: [leaveOut, carryWorker],
  output: {
    file: flags.file,
    format: "esm",
    minify: MINIFY,
    codeSplitting: false,
    banner: "#!/usr/bin/env node",
  },
});
const characters = output.reduce((sum, part) => sum + ("code" in part ? part.code.length : 0), 0);
console.log(`${flags.file} ${version}: ${(characters / 1000).toFixed(0)} kB`);
