import type { Sources } from "./sources.ts";

export type Expanded = {
  readonly text: string;
  /** Variables that are not set, each once. */
  readonly missing: readonly string[];
  /** True when a `${` starts no `${NAME}`. */
  readonly malformed: boolean;
};

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;

/** Replaces each `${NAME}` by the variable and each `$${` by a plain `${`. What a variable holds is not expanded again. */
export function expandEnvironment(source: string, env: Sources["env"]): Expanded {
  const missing = new Set<string>();
  let malformed = false;
  const text = source.replace(REFERENCE, (found: string, name: string | undefined) => {
    if (found === "$${") return "${";
    if (name === undefined) {
      malformed = true;
      return found;
    }
    const value = env[name];
    if (value === undefined) missing.add(name);
    return value ?? "";
  });
  return { text, missing: [...missing], malformed };
}
