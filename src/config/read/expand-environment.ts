import type { Sources } from "./sources.ts";

type Expanded = {
  readonly text: string;
  /** Unset variables, without duplicates. */
  readonly missing: readonly string[];
  /** Whether the source contains a `${` that is not part of a `${NAME}`. */
  readonly malformed: boolean;
};

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;

/** Replaces `${NAME}` with the variable's value and `$${` with `${`. Values of variables are not expanded again. */
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
