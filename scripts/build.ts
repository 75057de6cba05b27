import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "rolldown";
import { revisionOf } from "../src/daemon/revision.ts";

/**
 * Writes `dist/avax-exporter.mjs`, or what `--file` names: the exporter and everything that it needs in one file that plain
 * Node.js runs. `--plain` keeps it readable. The version is that of package.json, the revision the commit that is checked out.
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
];

/**
 * Native modules that ws tries to load and does without. The bundle must not look for them: what it would find beside itself
 * is not of this package.
 */
const OPTIONAL = /^(bufferutil|utf-8-validate)$/;

const leaveOutOptional: Plugin = {
  name: "leave-out-optional-modules",
  resolveId: {
    filter: { id: OPTIONAL },
    handler: (id) => `\0optional:${id}`,
  },
  load: {
    filter: { id: /^\0optional:/ },
    handler: () => `throw new Error("left out");`,
  },
};

const leaveOut: Plugin = {
  name: "leave-out-unused-parts",
  load: {
    filter: { id: UNUSED.map(([path]) => path) },
    handler: (id) => UNUSED.find(([path]) => path.test(id))?.[1],
  },
};

/**
 * `x-worker-code.ts` names the file that a thread runs, `x-worker.ts`. The bundle carries the whole text of each instead, so that
 * a running daemon does not depend on what becomes of its file.
 */
const carryWorkers: Plugin = {
  name: "carry-the-workers",
  load: {
    filter: { id: /-worker-code\.ts$/ },
    async handler(id) {
      const { output } = await build({
        cwd: ROOT,
        input: id.replace(/-code\.ts$/, ".ts"),
        platform: "node",
        write: false,
        plugins: [leaveOut],
        output: { format: "cjs", minify: MINIFY, codeSplitting: false },
      });
      const name = basename(id, "-code.ts").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const text = gzipSync(output[0].code, { level: 9 }).toString("base64");
      return `import { gunzipSync } from "node:zlib";
        export const ${name} = () => ({ code: gunzipSync(Buffer.from("${text}", "base64")).toString(), eval: true });`;
    },
  },
};

/** A text that a module reads from a file beside it, `readFileSync(new URL("./x.css", import.meta.url), "utf8")`: the bundle carries it. */
const carryTexts: Plugin = {
  name: "carry-the-texts",
  transform: {
    filter: { code: /readFileSync\(new URL\("/ },
    handler: (code, id) =>
      code.replace(/readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g, (_, path: string) =>
        JSON.stringify(readFileSync(new URL(path, pathToFileURL(id)), "utf8")),
      ),
  },
};

/**
 * An older Node refuses a file that imports what it does not have before it runs the first line, which is to say which Node is
 * needed. So the modules of Node are not imported but fetched, after that line.
 */
const fetchBuiltins: Plugin = {
  name: "fetch-builtins",
  renderChunk(code) {
    // All imports stand at the top: parsing the rest would take seconds. The bundle's test sees to it that none is left.
    const end = code.search(/^(?!import )/m);
    const imports = this.parse(code.slice(0, end)).body.filter((each) => each.type === "ImportDeclaration");
    const fetched = imports.map(({ source, specifiers }) => {
      const names = specifiers.map((each) => {
        if (each.type !== "ImportSpecifier") return `default: ${each.local.name}`;
        const name = each.imported.type === "Identifier" ? each.imported.name : each.imported.value;
        return `${name}: ${each.local.name}`;
      });
      return fetching(source.value, names);
    });
    return [HEAD, ...fetched, code.slice(end)].join("\n");
  },
};

/**
 * A few characters beyond Latin-1 in texts would make the engine keep the whole file at two bytes a character. Escaped they
 * mean the same wherever they stand: in texts, templates and regular expressions; names have none.
 */
const keepNarrow: Plugin = {
  name: "keep-narrow",
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === "chunk")
        part.code = part.code.replace(
          /[^\0-\xff]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
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
const HEAD = `#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error("avax-exporter needs Node.js 24 or later, this is " + process.version + ".");
  process.exit(1);
}`;

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const revision = revisionOf(ROOT);
const { output } = await build({
  cwd: ROOT,
  input: "src/main.ts",
  // What a Node of the last years can read, if not run.
  transform: { target: "es2022", define: { AVAX_EXPORTER_REVISION: JSON.stringify(revision) } },
  platform: "node",
  // Bundling the threads' programs is what one of the plugins is for.
  checks: { pluginTimings: false },
  plugins: [leaveOut, leaveOutOptional, carryWorkers, carryTexts, fetchBuiltins, keepNarrow],
  output: {
    file: flags.file,
    format: "esm",
    minify: MINIFY,
    codeSplitting: false,
  },
});
const characters = output.reduce((sum, part) => sum + ("code" in part ? part.code.length : 0), 0);
console.log(`${flags.file} ${version} (${revision}): ${(characters / 1000).toFixed(0)} kB`);
