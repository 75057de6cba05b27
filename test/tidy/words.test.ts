import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Words that must not come back in a text that users read, with what to write instead (docs/STYLE.md). */
const FORBIDDEN: ReadonlyArray<readonly [words: RegExp, instead: string]> = [
  [/\banew\b/i, "again, from scratch"],
  [/\bany more\b/i, "no longer"],
  [/\bso far\b/i, "leave it out"],
  [/\bnobody\b/i, "no node, no user; or passive voice"],
  [/\bsomebody\b/i, "a person, a user"],
  [/\bstrangers?\b/i, "unknown clients"],
  [/\bwitness(es)?\b/i, "observer"],
  [/\bspeakers?\b/i, "reference node"],
  [/\bhelpers?\b/i, "auxiliary node"],
  [/\bparts? ways\b/i, "fork off"],
  [/\btells?\b(?! apart)/i, "reports, shows"],
  [/\btold\b/i, "reported, configured"],
  [/\bspeaks?\b/i, "reports"],
  [/\bhears?\b|\bheard\b/i, "receives, received"],
  [/\bstands? still\b/i, "is stalled"],
  [/\bgranted\b/i, "observed uptime, rewarding stake"],
  [/\ballowance\b/i, "downtime budget"],
  [/\bmay (still|not|go|be|come|take|need|have|fail|stop|show|read|differ)\b/i, "can; or `has N left`"],
  [/(?<!there )\bis no (?!longer)[a-z]+\b/i, "is not a …"],
  [/(?<!there )\bare no (?!longer)[a-z]+\b/i, "are not …"],
  [/\bnone is known\b/i, "no known false positives"],
  [/\bsync (it|the node) /i, "resync"],
  [/\b(is|are|be|was|were|been) asked\b/i, "polled, queried, requested"],
  [/\bnobody is asked\b/i, "no request is sent"],
  [/\bas said\b/i, "see HELP"],
  [/\brepair the way\b|\bthe way (to|from) (the|its|it|a)\b/i, "network path"],
  [
    /\b(node|exporter|server|service|api|check|chain|it|network|prometheus|log) (says|say|claims|tells|speaks|wants|calls)\b/i,
    "reports, shows, returns",
  ],
];

/** Files whose whole text is read by users. */
const DOCUMENTS = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "config.example.yaml", "config.schema.json"],
  ...[
    "docs/*.md",
    "docs/runbooks/*.md",
    "docs/reference/*.md",
    "deploy/**/*.md",
    "deploy/**/*.yaml",
    "deploy/**/*.yml",
  ],
  ...["grafana/**/*.json", "grafana/**/*.yaml", "grafana/**/*.yml"],
];
/** Quotes of old words, with a reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  "docs/STYLE.md": "quotes them beside their replacements",
  "docs/reference/renames.md": "lists the old names",
};

type Hit = { readonly at: string; readonly line: string; readonly instead: string };

function hitsIn(at: string, text: string): readonly Hit[] {
  return text.split("\n").flatMap((line, index) =>
    FORBIDDEN.flatMap(([words, instead]) => {
      const found = words.exec(line);
      if (found === null) return [];
      const shown = line.slice(Math.max(0, found.index - 60), found.index + 60);
      return [{ at: `${at}:${index + 1}`, line: shown, instead }];
    }),
  );
}

/** The texts of a source file: string literals with a space in them, without imports. */
function textsOf(source: string): string {
  return source
    .split("\n")
    .map((line) => line.replaceAll(/\$\{[^}]*\}/g, "…"))
    .map((line) =>
      /^\s*(import|\/\/|\*|\/\*)/.test(line)
        ? ""
        : [...line.matchAll(/"[^"]* [^"]*"|`[^`]* [^`]*`?|'[^']* [^']*'/g)].join(" "),
    )
    .join("\n");
}

const shown = (hits: readonly Hit[]) => hits.map(({ at, line, instead }) => `${at}: …${line}… (${instead})`);

describe("the words of the style guide", () => {
  it("hold in documents, rules, dashboards and the configuration's schema", () => {
    const files = DOCUMENTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => !(file in EXEMPT));
    expect(files.length).toBeGreaterThan(80);
    expect(shown(files.flatMap((file) => hitsIn(file, readFileSync(join(ROOT, file), "utf8"))))).toEqual([]);
  });

  it("hold in the texts of the code", () => {
    const files = globSync("src/**/*.ts", { cwd: ROOT });
    expect(files.length).toBeGreaterThan(250);
    const hits = files.flatMap((file) => hitsIn(file, textsOf(readFileSync(join(ROOT, file), "utf8"))));
    expect(shown(hits)).toEqual([]);
  });

  it("are found where they stand", () => {
    const text = 'const a = 1;\nthrow new Error("the node says that it is asked anew");';
    expect(hitsIn("x.ts", textsOf(text)).map(({ at }) => at)).toEqual(["x.ts:2", "x.ts:2", "x.ts:2"]);
    expect(hitsIn("y.md", "sim-3 has 8 h of downtime left before its reward is lost")).toEqual([]);
  });
});
