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

/**
 * An older Node refuses a file that imports what it does not have before it runs the first line, which is to say which Node is
 * needed. So the modules of Node are not imported but fetched, after that line.
 */
const fetchBuiltins: Plugin = {
  name: "fetch-builtins",
  renderChunk(code) {
    const imports = this.parse(code).body.filter((each) => each.type === "ImportDeclaration");
    return imports.reduceRight((text, { start, end, source, specifiers }) => {
      const names = specifiers.map((each) => {
        if (each.type !== "ImportSpecifier") return `default: ${each.local.name}`;
        const name = each.imported.type === "Identifier" ? each.imported.name : each.imported.value;
        return `${name}: ${each.local.name}`;
      });
      return text.slice(0, start) + fetching(source.value, names) + text.slice(end);
    }, code);
  },
};

function fetching(module: string, names: readonly string[]): string {
  const whole = names.filter((name) => name.startsWith("default: ")).map((name) => name.slice("default: ".length));
  const parts = names.filter((name) => !name.startsWith("default: "));
  const from = `process.getBuiltinModule(${JSON.stringify(module)})`;
  return [...whole, ...(parts.length === 0 ? [] : [`{ ${parts.join(", ")} }`])]
    .map((target) => `const ${target} = ${from};`)
    .join(" ");
}

/** Plain JavaScript that every Node understands. */
const OLD_NODE = `if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error("avax-exporter needs Node.js 24 or later, this is " + process.version + ".");
  process.exit(1);
}`;

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { output } = await build({
  cwd: ROOT,
  input: "src/main.ts",
  // What a Node of the last years can read, if not run.
  transform: { target: "es2022" },
  platform: "node",
  plugins: [leaveOut, carryWorker, fetchBuiltins],
  output: {
    file: flags.file,
    format: "esm",
    minify: MINIFY,
    codeSplitting: false,
    banner: `#!/usr/bin/env node\n${OLD_NODE}`,
  },
});
const characters = output.reduce((sum, part) => sum + ("code" in part ? part.code.length : 0), 0);
console.log(`${flags.file} ${version}: ${(characters / 1000).toFixed(0)} kB`);
