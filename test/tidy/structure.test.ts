import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = globSync("src/**/*.ts", { cwd: ROOT }).sort();
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));

type Import = { readonly from: string; readonly to: string };

/** Relative imports, those of types included. */
function importsOf(file: string): readonly Import[] {
  const found = (TEXTS.get(file) ?? "").matchAll(/^import\s[^;]*?\sfrom\s+"(\.[^"]+)"/gms);
  return [...found].map(([, path = ""]) => ({
    from: file,
    to: relative(ROOT, normalize(join(ROOT, dirname(file), path))),
  }));
}

const IMPORTS = FILES.flatMap(importsOf);
const folder = (file: string): string => file.split("/").slice(0, 2).join("/");

/** The rooms of ARCHITECTURE.md from the lowest to the highest: each imports itself and what stands before it. */
const ROOMS = [
  "src/runtime",
  "src/simulator",
  "src/promql",
  "src/exposition",
  "src/api",
  "src/config",
  "src/catalogue",
  "src/topics",
  "src/self",
  "src/definitions",
  "src/poller",
  "src/diagnosis",
  "src/http",
  "src/generate",
  "src/daemon",
  "src/demo",
  "src/cli",
  "src/main.ts",
];

/** Who imports whom, by the name that `of` gives a file. */
function graph(of: (file: string) => string): ReadonlyMap<string, readonly string[]> {
  const edges = IMPORTS.map(({ from, to }) => [of(from), of(to)] as const).filter(([from, to]) => from !== to);
  const grouped = Map.groupBy(edges, ([from]) => from);
  return new Map([...grouped].map(([from, pairs]) => [from, [...new Set(pairs.map(([, to]) => to))]]));
}

describe("the structure of ARCHITECTURE.md", () => {
  test("metrics know the interfaces and nothing that does I/O", () => {
    const outside = IMPORTS.filter(({ from, to }) => folder(from) === "src/topics" && folder(to) !== "src/topics");
    const below = ["src/api", "src/catalogue"];
    const pure = ["src/exposition/sample.ts", "src/runtime/work.ts"];
    expect(outside.filter(({ to }) => !below.includes(folder(to)) && !pure.includes(to))).toEqual([]);
    expect(outside.filter(({ to }) => to.startsWith("src/api/transport/"))).toEqual([]);
  });

  test("interfaces know nothing of metrics, polls or pages", () => {
    expect(IMPORTS.filter(({ from, to }) => folder(from) === "src/api" && folder(to) !== "src/api")).toEqual([]);
  });

  test("the query language knows nothing of what it is asked about", () => {
    const outside = IMPORTS.filter(({ from, to }) => folder(from) === "src/promql" && folder(to) !== "src/promql");
    expect(outside.filter(({ to }) => folder(to) !== "src/runtime")).toEqual([]);
  });

  test("the simulator shares nothing with the code that it tests", () => {
    const crossing = IMPORTS.filter(
      ({ from, to }) => (folder(from) === "src/simulator") !== (folder(to) === "src/simulator"),
    );
    expect(crossing.filter(({ from }) => folder(from) !== "src/cli" && folder(from) !== "src/demo")).toEqual([]);
  });

  test("no text has the marks of a merge in it", () => {
    const texts = globSync(["*.*", "{src,test,bench,scripts,docs,deploy,grafana}/**/*.{ts,md,yaml,yml,json}"], {
      cwd: ROOT,
    });
    expect(texts.length).toBeGreaterThan(700);
    const marked = texts.filter((file) => /^(?:<{7}|={7}|>{7})(?: |$)/m.test(readFileSync(join(ROOT, file), "utf8")));
    expect(marked).toEqual([]);
  });

  test("of undici only the parts that are used are loaded, the WebSocket library with the first socket", () => {
    const loading = (library: string) =>
      FILES.filter((file) => new RegExp(`^import (?!type )[^;]* from "${library}";`, "m").test(TEXTS.get(file) ?? ""));
    expect(loading("undici")).toEqual([]);
    expect(loading("ws")).toEqual(["src/simulator/evm/socket-hub.ts"]);
  });

  test("dashboards and documents are made outside the daemon", () => {
    expect(IMPORTS.filter(({ from, to }) => folder(to) === "src/generate" && folder(from) !== "src/generate")).toEqual(
      [],
    );
  });

  test("no file imports itself in a circle, types included", () => {
    expect(circles(graph((file) => file))).toEqual([]);
  });

  test("rooms import what lies below them, types included", () => {
    const rank = (file: string) => ROOMS.findIndex((room) => file === room || file.startsWith(`${room}/`));
    expect(FILES.filter((file) => rank(file) < 0)).toEqual([]);
    expect(IMPORTS.filter(({ from, to }) => TEXTS.has(to) && rank(from) < rank(to))).toEqual([]);
  });

  test("no folder imports itself in a circle through others, types included", () => {
    expect(circles(graph(dirname))).toEqual([]);
  });

  test("no folder holds more than some twenty files", () => {
    const sizes = Map.groupBy(globSync("src/**/*.*", { cwd: ROOT }), dirname);
    expect([...sizes].filter(([, files]) => files.length > 22).map(([path]) => path)).toEqual([]);
  });

  test("every import leads to a file", () => {
    expect(IMPORTS.filter(({ to }) => !TEXTS.has(to) && to !== "package.json")).toEqual([]);
  });
});

test("files stay readable: 400 lines, and reviewed", () => {
  const long = [...TEXTS].filter(([, text]) => text.split("\n").length > 401).map(([file]) => file);
  expect(long).toEqual([]);
});

test("no word of unfinished work", () => {
  const marks = [...TEXTS].filter(([, text]) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(([file]) => file);
  expect(marks).toEqual([]);
});

test("the lockfile names no registry", () => {
  expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved"/);
});

test("the commands of the README are scripts", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/npm (?:run ([\w:-]+)|(test|start))/g)].map(
    ([, script, short]) => script ?? short ?? "",
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

/** Circles of a graph, each once, as the files that are in it. */
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
