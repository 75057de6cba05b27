import { globSync, readFileSync, statSync } from "node:fs";
import { MAX_FILE_BYTES, type Sources } from "./sources.ts";

/** Sources that read this machine's files and the given environment. */
export function nodeSources(env: Sources["env"]): Sources {
  return {
    env,
    readFile: (path) => {
      // Checked first, so that a mistyped path to a huge file is not read into memory.
      if (statSync(path).size > MAX_FILE_BYTES) throw Object.assign(new Error("file too large"), { code: "EFBIG" });
      return readFileSync(path, "utf8");
    },
    glob: (pattern, cwd) => globSync(pattern, { cwd }),
  };
}
