import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, type Bundled } from "./bundled.ts";

/** The licences of Node.js and of what it contains, from the distribution of Node.js 24: npm's package has no copy. */
const NODE = readFileSync(join(import.meta.dirname, "notices/node.txt"), "utf8");

/**
 * The notices of all packages that files of a bundle belong to, by name, each with its version and the text of its licence.
 * Throws when a package has no such text: it must not be distributed without.
 */
export function licencesOf(files: readonly string[]): string {
  const notices = bundledPackages(files).map(noticeOf);
  const titles = notices.map(({ title }) => title);
  const about = `avax-exporter contains parts of these packages:\n\n${titles.map((title) => `  ${title}\n`).join("")}`;
  return [about, ...notices.map(({ title, text }) => `${"=".repeat(80)}\n${title}\n\n${text}\n`)].join("\n");
}

/** As `licencesOf`, for an executable that contains Node.js too. */
export function licencesWithNode(files: readonly string[]): string {
  return `${licencesOf(files)}\n${"=".repeat(80)}\nNode.js ${process.versions.node}\n\n${NODE}`;
}

function noticeOf({ folder, name, version, license }: Bundled): { readonly title: string; readonly text: string } {
  const texts = globSync(["LICEN[CS]E*", "NOTICE*", "licen[cs]e*"], { cwd: folder })
    .map((file) => join(folder, file))
    .filter((file) => existsSync(file))
    .toSorted();
  if (texts.length === 0) throw new Error(`${folder} has no licence text: add one, or leave the package out`);
  const text = [...new Set(texts.map((file) => readFileSync(file, "utf8").trim()))].join("\n\n");
  return { title: `${name} ${version} (${license})`, text };
}
