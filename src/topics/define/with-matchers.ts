/** Our own series: those of the exporter, and those that our rules record. */
const OURS = /^(?:[a-z]+:)?avax_/;

/** A string, which is left alone, or a word with the selector's braces behind it. */
const PART =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w:$])(?<name>[a-zA-Z_:][\w:]*)(?<braces>\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?/g;

/** Further matchers of the series with this name, as text such as `job="avax-exporter"`; none for another's series. */
export type MoreMatchers = (name: string) => readonly string[];

/** The same matchers for each of our own series. */
export function forOurs(matchers: readonly string[]): MoreMatchers {
  return (name) => (OURS.test(name) ? matchers : []);
}

/**
 * PromQL with further matchers in each selector. It can hold variables of Grafana and verbs of printf. A matcher that a selector
 * has already is not repeated.
 */
export function withMatchers(expr: string, more: MoreMatchers): string {
  return expr.replaceAll(PART, (whole: string, ...rest: readonly unknown[]) => {
    const { name, braces = "{}" } = rest.at(-1) as { readonly name?: string; readonly braces?: string };
    if (name === undefined) return whole;
    const missing = more(name).filter((matcher) => !braces.includes(matcher));
    if (missing.length === 0) return whole;
    const given = braces.slice(1, -1).trim();
    return `${name}{${[...missing, ...(given === "" ? [] : [given])].join(",")}}`;
  });
}
