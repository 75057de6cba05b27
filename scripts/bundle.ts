import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "rolldown";

const ROOT = join(import.meta.dirname, "..");

/** Halves the size; stack traces keep their names. */
const MINIFY = { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } };

/**
 * Large parts of libraries that nothing here uses: they would cost time and memory at each start. By the path of the import, with
 * the source that replaces them.
 */
const UNUSED: ReadonlyArray<readonly [path: RegExp, source: string]> = [
  // Error messages in forty languages.
  [/\/zod\/v4\/locales\/index\.js$/, "export {};"],
];

/**
 * Native modules that ws tries to load and does not need. The bundle must not look for them, because a module beside it would not
 * be part of this package.
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
 * node-cron reads the fields of each date from `Intl.DateTimeFormat`, whose tables take 8 MB of memory and 20 ms of each start.
 * Every second is the same second in all time zones, so the fields are those of UTC here.
 */
const plainDates: Plugin = {
  name: "plain-dates",
  transform: {
    filter: { id: /\/node-cron\/dist\/_shared\.js$/ },
    handler(code) {
      const parts = code.split("new Intl.DateTimeFormat(");
      if (parts.length !== 3) this.error("node-cron formats dates in another way");
      return `${parts.join("new UtcFields(")}\n${UTC_FIELDS}`;
    },
  },
};

/** The part of `Intl.DateTimeFormat` that node-cron uses. */
const UTC_FIELDS = `class UtcFields {
  formatToParts(date) {
    const [year, month, day, hour, minute, second] = date.toISOString().match(/\\d+/g);
    const weekday = date.toUTCString().slice(0, 3);
    const fields = { year, month, day, hour, minute, second, weekday, timeZoneName: "GMT" };
    return Object.entries(fields).map(([type, value]) => ({ type, value }));
  }
}`;

/**
 * The files that `export` prints are 1.2 MB of JSON, which compress to a twelfth. A running daemon neither parses nor expands
 * them.
 */
const carryShippedFiles: Plugin = {
  name: "carry-the-shipped-files",
  transform: {
    filter: { id: /\/cli\/export\/shipped-files\.ts$/ },
    handler: (code) => {
      const files = globSync("grafana/{dashboards/*.json,alerts/*.tmpl}", { cwd: ROOT }).sort();
      const texts = Object.fromEntries(files.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
      const packed = gzipSync(JSON.stringify(texts), { level: 9 }).toString("base64");
      return `import { gunzipSync } from "node:zlib";
        const shippedFile = (path) => JSON.parse(gunzipSync(Buffer.from("${packed}", "base64")).toString())[path];
        ${code.replace(/readFileSync\(new URL\((["`])\.\.\/\.\.\/\.\.\/(.*?)\1, import\.meta\.url\), "utf8"\)/g, "shippedFile($1$2$1)")}`;
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

/**
 * A few characters beyond Latin-1 would make V8 store the whole file with two bytes per character. Escapes mean the same in texts,
 * templates and regular expressions, and no name contains such a character.
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
 * Writes the exporter and its dependencies as one file. Resolves to its characters and to the files of it;
 * rejects when a file cannot be read or written.
 */
export async function writeBundle({ file, plain = false, form, revision, date }: Options) {
  const files = new Set<string>();
  const define: Record<string, string> = {
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
    plugins: [
      leaveOut,
      leaveOutOptional,
      plainDates,
      carryShippedFiles,
      carryTexts,
      ...(form === "module" ? [fetchBuiltins] : []),
      keepNarrow,
    ],
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
