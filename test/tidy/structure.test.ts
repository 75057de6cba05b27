import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = globSync("{src,simulator,generate}/**/*.ts", { cwd: ROOT }).sort();
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));

type Import = { readonly from: string; readonly to: string };

/** Relative imports, including types and `import()`. */
function importsOf(file: string): readonly Import[] {
  const found = (TEXTS.get(file) ?? "").matchAll(/^import\s[^;]*?\sfrom\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gms);
  return [...found].map(([, path, late = ""]) => ({
    from: file,
    to: relative(ROOT, normalize(join(ROOT, dirname(file), path ?? late))),
  }));
}

const IMPORTS = FILES.flatMap(importsOf);
/** The room of a file: `src/<room>`, `simulator` or `generate`. */
const folder = (file: string): string =>
  file
    .split("/")
    .slice(0, file.startsWith("src/") ? 2 : 1)
    .join("/");

/** The rooms of ARCHITECTURE.md from the lowest to the highest. Each imports only itself and lower ones. */
const ROOMS = [
  "simulator",
  "src/runtime",
  "src/exposition",
  "src/api",
  "src/config",
  "src/topics",
  "src/poller",
  "src/diagnosis",
  "src/http",
  "generate",
  "src/daemon",
  "src/cli",
  "src/main.ts",
];

/** The imports between files, or between the groups that `of` assigns. */
function graph(of: (file: string) => string): ReadonlyMap<string, readonly string[]> {
  const edges = IMPORTS.map(({ from, to }) => [of(from), of(to)] as const).filter(([from, to]) => from !== to);
  const grouped = Map.groupBy(edges, ([from]) => from);
  return new Map([...grouped].map(([from, pairs]) => [from, [...new Set(pairs.map(([, to]) => to))]]));
}

describe("the structure of ARCHITECTURE.md", () => {
  test("topics import the interfaces and nothing with I/O", () => {
    const outside = IMPORTS.filter(({ from, to }) => folder(from) === "src/topics" && folder(to) !== "src/topics");
    const below = ["src/api"];
    const pure = [
      "src/exposition/sample.ts",
      "src/config/base/durations.ts",
      "src/config/base/alert-limit.ts",
      "src/config/base/units.ts",
    ];
    expect(outside.filter(({ to }) => !below.includes(folder(to)) && !pure.includes(to))).toEqual([]);
    expect(outside.filter(({ to }) => to.startsWith("src/api/transport/"))).toEqual([]);
  });

  test("interfaces import nothing else", () => {
    expect(IMPORTS.filter(({ from, to }) => folder(from) === "src/api" && folder(to) !== "src/api")).toEqual([]);
  });

  test("the simulator shares nothing with the tested code", () => {
    const crossing = IMPORTS.filter(({ from, to }) => (folder(from) === "simulator") !== (folder(to) === "simulator"));
    expect(crossing.filter(({ from }) => folder(from) !== "src/cli")).toEqual([]);
  });

  test("only generators and the commands that write or evaluate their files import generators", () => {
    const outside = IMPORTS.filter(({ from, to }) => folder(to) === "generate" && folder(from) !== "generate");
    const writing = /^src\/cli\/(backtest|export|report|stack|test-notification)[./]/;
    expect(outside.filter(({ from }) => !writing.test(from))).toEqual([]);
    // They need a library that is not installed with the exporter.
    expect(outside.filter(({ to }) => to.startsWith("generate/dashboards/"))).toEqual([]);
  });

  test("imports of files have no circles, including types", () => {
    expect(circles(graph((file) => file))).toEqual([]);
  });

  test("rooms import only lower rooms, including types", () => {
    const rank = (file: string) => ROOMS.findIndex((room) => file === room || file.startsWith(`${room}/`));
    expect(FILES.filter((file) => rank(file) < 0)).toEqual([]);
    expect(IMPORTS.filter(({ from, to }) => TEXTS.has(to) && rank(from) < rank(to))).toEqual([]);
  });

  test("imports of folders have no circles, including types", () => {
    expect(circles(graph(dirname))).toEqual([]);
  });

  test("no folder has more than 22 files", () => {
    const sizes = Map.groupBy(globSync("{src,simulator,generate}/**/*.*", { cwd: ROOT }), dirname);
    expect([...sizes].filter(([, files]) => files.length > 22).map(([path]) => path)).toEqual([]);
  });
});

test("no file passes on all exports of another file", () => {
  const files = globSync(["*.ts", "{src,simulator,generate,test,bench,scripts}/**/*.ts"], { cwd: ROOT });
  const passing = files.filter((file) => /^export\s+(?:type\s+)?\*/m.test(readFileSync(join(ROOT, file), "utf8")));
  expect(passing).toEqual([]);
});

test("files have at most 400 lines", () => {
  const long = [...TEXTS].filter(([, text]) => text.split("\n").length > 401).map(([file]) => file);
  expect(long).toEqual([]);
});

test("no file contains a mark of unfinished work", () => {
  const marks = [...TEXTS].filter(([, text]) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(([file]) => file);
  expect(marks).toEqual([]);
});

test("the lockfile contains no registry", () => {
  expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved"/);
});

test("the program of the clone can be started by its name", () => {
  expect(statSync(join(ROOT, "bin/avax-exporter.mjs")).mode & 0o111).toBe(0o111);
});

test("the documents contain only existing scripts", () => {
  const readme = ["README.md", "deploy/README.md"].map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/npm (?:run ([\w:-]+)|(test|start))/g)].map(
    ([, script, short]) => script ?? short ?? "",
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

/** The circles of a graph as paths, without duplicates. */
function circles(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    state.set(file, "open");
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}
