import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of which a bundle contains files. */
export type Bundled = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As the package names it: an SPDX identifier. */
  readonly license: string;
};

/** The packages that files of a bundle belong to, each once, by name. Throws when one has no readable `package.json`. */
export function bundledPackages(files: readonly string[]): readonly Bundled[] {
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []));
  return [...folders].map(read).toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** The folder of the innermost package that the file belongs to; undefined for a file of this project. */
function folderOf(file: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function read(folder: string): Bundled {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Omit<Bundled, "folder">;
  const { name, version, license } = manifest;
  return { folder, name, version, license };
}
