import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "rolldown";

/**
 * Writes `dist/avax-exporter.mjs`: the exporter and everything that it needs in one file that plain Node.js runs. The
 * version is that of package.json.
 */

const ROOT = join(import.meta.dirname, "..");
const FILE = "dist/avax-exporter.mjs";

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

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { output } = await build({
  cwd: ROOT,
  input: "src/main.ts",
  platform: "node",
  plugins: [leaveOut],
  output: {
    file: FILE,
    format: "esm",
    // Half the size; names are kept in stack traces.
    minify: process.argv.includes("--plain")
      ? false
      : { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
    codeSplitting: false,
    banner: "#!/usr/bin/env node",
  },
});
const characters = output.reduce((sum, part) => sum + ("code" in part ? part.code.length : 0), 0);
console.log(`${FILE} ${version}: ${(characters / 1000).toFixed(0)} kB`);
