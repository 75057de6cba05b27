import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { heldFor } from "../../src/poller/poll/poll.ts";
import { BRIDGED } from "../../src/topics/define/condition.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (document: string) => readFileSync(join(ROOT, document), "utf8");
const DOCUMENTS = globSync(["*.md", "docs/**/*.md", "deploy/**/*.md"], { cwd: ROOT });
/** Written by `npm run update`. */
const GENERATED = /^docs\/(alerts\.md|reference\/|runbooks\/)/;

const wordsIn = (document: string): number => read(document).split(/\s+/).filter(Boolean).length;

test("README has at most 900 words, and all documents that a person maintains 9,000", () => {
  expect(wordsIn("README.md")).toBeLessThanOrEqual(900);
  const own = DOCUMENTS.filter((document) => !GENERATED.test(document));
  expect(own).not.toEqual([]);
  expect(own.reduce((sum, document) => sum + wordsIn(document), 0)).toBeLessThanOrEqual(9_000);
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test.each(DOCUMENTS)("every link of %s leads to a file and a heading that exist", (document) => {
  const text = read(document).replaceAll(/```[^]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, link = "", other]) => other ?? link,
  );
  const broken = links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? document : relative(ROOT, join(ROOT, dirname(document), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && statSync(join(ROOT, target)).isFile() && !anchorsOf(target).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("the index of the documents names each", () => {
  const linked = [...`${read("docs/README.md")}${read("README.md")}`.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
  const missing = globSync("docs/*.md", { cwd: ROOT })
    .map((path) => relative("docs", path))
    .filter((name) => name !== "README.md" && !linked.includes(name));
  expect(missing).toEqual([]);
});

const FOLDERS = "src|generate|simulator|test|scripts|docs|grafana|deploy|bench|tools|bin";

/** Paths of the project in backticks, and those of the drawing; `<name>` and `x/y` stand for any. */
function pathsIn(document: string): readonly string[] {
  const named = read(document).matchAll(new RegExp(`(?:\`|^)((?:${FOLDERS})/[^\`\\s]*)(?:\`| )`, "gm"));
  return [...named].map(([, path = ""]) => path).filter((path) => !/<|\/x\/y/.test(path));
}

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("every path that %s names exists", (document) => {
  const paths = pathsIn(document);
  expect(paths).not.toEqual([]);
  const missing = paths.filter((path) =>
    path.includes("*") ? globSync(path, { cwd: ROOT }).length === 0 : !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("every name of the code that %s has, exists", (document) => {
  const code = globSync(["{src,generate,simulator,scripts,test}/**/*.ts", "package.json"], { cwd: ROOT })
    .map(read)
    .join("\n");
  const text = read(document).replaceAll(/```[^]*?```/g, "");
  const names = [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  const words = new Set(code.match(/\w+/g));
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test("the rooms of ARCHITECTURE.md have the folders that their rows name", () => {
  const rows = [...read("ARCHITECTURE.md").matchAll(/^\| `([\w/]+\/)` \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  const named = rows.flatMap(([, room = "", about = ""]) => [
    room,
    ...[...about.matchAll(/`(\w+\/)`/g)].map(([, sub = ""]) => room + sub),
  ]);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("an answer holds as long as ARCHITECTURE.md says", () => {
  const text = read("ARCHITECTURE.md");
  expect(text).toContain("An answer holds for three intervals and a second, a settled one for six");
  expect([false, true].map((settled) => heldFor({ every: 60 }, { settled }))).toEqual([3 * 60 + 1, 6 * 60 + 1]);
  expect(text).toContain(`bridged for ${{ "6m": "six minutes" }[BRIDGED]}`);
});
