import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "rolldown";

const ROOT = join(import.meta.dirname, "..");

/** Halves the size; stack traces keep their names. */
const MINIFY = { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } };

/**
 * The files that `export` and `init --stack` write are 1.2 MB of JSON, which compress to a twelfth. A running daemon neither parses nor expands
 * them.
 */
const carryShippedFiles: Plugin = {
  name: "carry-the-shipped-files",
  transform: {
    filter: { id: /\/cli\/export\/shipped-file\.ts$/ },
    handler: (code) => {
      const files = globSync("{grafana/{dashboards/*.json,alerts/*.tmpl,provisioning/*/*.yaml},deploy/stack/*}", {
        cwd: ROOT,
      }).sort();
      const texts = Object.fromEntries(files.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
      const packed = gzipSync(JSON.stringify(texts), { level: 9 }).toString("base64");
      return `import { gunzipSync } from "node:zlib";
        const carried = (path) => JSON.parse(gunzipSync(Buffer.from("${packed}", "base64")).toString())[path];
        ${code.replace(/readFileSync\(.*, "utf8"\)/, "carried(path)")}`;
    },
  },
};

/** Inlines text files that a module reads with `readFileSync(new URL("./x.css", import.meta.url), "utf8")`. */
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
 * An older Node.js refuses a file with unknown imports before it runs the first line, which prints the required version. So
 * built-in modules are not imported but fetched after that line.
 */
const fetchBuiltins: Plugin = {
  name: "fetch-builtins",
  renderChunk(code) {
    // All imports are at the top, and parsing the rest would take seconds. The bundle's test checks that none is left.
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

function fetching(module: string, names: readonly string[]): string {
  const whole = names.filter((name) => name.startsWith("default: ")).map((name) => name.slice("default: ".length));
  const parts = names.filter((name) => !name.startsWith("default: "));
  const from = `process.getBuiltinModule(${JSON.stringify(module)})`;
  return [...whole, ...(parts.length === 0 ? [] : [`{ ${parts.join(", ")} }`])]
    .map((target) => `const ${target} = ${from};`)
    .join(" ");
}

/** As in bin/avax-exporter.mjs. */
const NO_DEBUGGER = `process.on("SIGUSR1", () => {});`;

/** Plain JavaScript for every version of Node.js. */
const HEAD = `#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error("avax-exporter requires Node.js 24 or later; this is " + process.version + ".");
  process.exit(1);
}
${NO_DEBUGGER}`;

/** What a build says about itself. */
export type Made = {
  readonly revision: string;
  /** ISO time in UTC. */
  readonly date: string;
};

type Options = Made & {
  readonly file: string;
  /** Readable instead of small. */
  readonly plain?: boolean;
  /** `module` for `node FILE`; `script` for the single executable, whose program cannot be a module. */
  readonly form: "module" | "script";
};

/**
 * Writes the exporter and its dependencies as one file. Resolves to its characters and to the files of it, threads included;
 * rejects when a file cannot be read or written.
 */
export async function writeBundle({ file, plain = false, form, revision, date }: Options) {
  const files = new Set<string>();
  const define: Record<string, string> = {
    // ws then does not look for native modules, which beside the bundle would not be part of this package.
    "process.env.WS_NO_BUFFER_UTIL": '"1"',
    "process.env.WS_NO_UTF_8_VALIDATE": '"1"',
    AVAX_EXPORTER_REVISION: JSON.stringify(revision),
    AVAX_EXPORTER_DATE: JSON.stringify(date),
  };
  // A script has no address of its own, and the program asks only whether it is a file of the clone.
  if (form === "script") define["import.meta.filename"] = JSON.stringify("");
  const { output } = await build({
    cwd: ROOT,
    input: "src/main.ts",
    // Older versions of Node.js must be able to parse the file.
    transform: { target: "es2022", define },
    platform: "node",
    plugins: [carryShippedFiles, carryTexts, ...(form === "module" ? [fetchBuiltins] : [])],
    output: {
      file,
      format: form === "module" ? "esm" : "cjs",
      banner: form === "module" ? "" : NO_DEBUGGER,
      minify: plain ? false : MINIFY,
      codeSplitting: false,
    },
  });
  let characters = 0;
  for (const part of output) {
    if (part.type !== "chunk") continue;
    characters += part.code.length;
    part.moduleIds.forEach((each) => files.add(each));
  }
  return { characters, files: [...files] };
}
