import { parse } from "yaml";

/**
 * Compressed time. Prometheus and Alertmanager have no configurable clock, so the simulated network and the exporter run
 * on a clock that is `factor` times as fast and agrees with the real one at `start` (`fast-clock.ts`), and durations in the
 * rules and the routing are translated:
 *
 * - `for`, `keep_firing_for`, offsets and the windows of ranges are divided by the factor: Prometheus measures them with its own clock;
 * - so are changes per second (`rate`, `deriv`) and the seconds that `predict_linear` looks ahead;
 * - `time()` becomes the fast clock's time, so that thresholds in seconds hold unchanged against timestamps that come from
 *   nodes and exporter, and so do the figures in summaries;
 * - the waits of Alertmanager's groups are divided by the factor.
 *
 * Expressions, thresholds, labels and texts stay what they are. What this cannot show: that a scrape interval of 15 s is
 * dense enough for a window, because a scrape every half second is one every `factor / 2` seconds; and durations of days.
 */
export type Compression = {
  /** Unix milliseconds at which both clocks agree. */
  readonly start: number;
  /** Seconds of the fast clock in a real one. */
  readonly factor: number;
  /** Work of the process is measured in real time. */
  readonly work?: "real";
};

/** The fast clock, in Unix milliseconds. */
export function fastClock({ start, factor }: Compression, now: () => number = Date.now): () => number {
  return () => start + (now() - start) * factor;
}

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 } as const;

/** A Prometheus duration, compressed: in milliseconds, at least one unless it is 0. Throws for an invalid duration. */
export function compressDuration(text: string, { factor }: Compression): string {
  const parts = [...text.matchAll(/(\d+)(ms|[smhdwy])/g)];
  if (parts.map(([part]) => part).join("") !== text || text === "") throw new Error(`not a duration: ${text}`);
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
    0,
  );
  return `${seconds === 0 ? 0 : Math.max(1, Math.round((seconds * 1000) / factor))}ms`;
}

/** An expression on the fast clock. */
export function compressExpression(expr: string, compression: Compression): string {
  const { start, factor } = compression;
  const time = `(${start / 1000} + (time() - ${start / 1000}) * ${factor})`;
  const durations = expr
    .replaceAll(/\[([0-9a-z]+)(?::([0-9a-z]*))?\]/g, (_, range: string, step: string | undefined) => {
      const between = step === undefined ? "" : `:${step === "" ? "" : compressDuration(step, compression)}`;
      return `[${compressDuration(range, compression)}${between}]`;
    })
    .replaceAll(/\boffset\s+([0-9a-z]+)/g, (_, by: string) => `offset ${compressDuration(by, compression)}`);
  const perSecond = wrapCalls(durations, /\b(?:rate|irate|deriv)\(/, (call) => `(${call} / ${factor})`);
  const ahead = wrapCalls(perSecond, /\bpredict_linear\(/, (call) => `${call.slice(0, -1)} / ${factor})`);
  return ahead.replaceAll(/\btime\(\)/g, time);
}

/** The expression with every call of a function replaced. @param start the name of the function and its parenthesis */
function wrapCalls(expr: string, start: RegExp, wrap: (call: string) => string): string {
  const match = start.exec(expr);
  if (match === null) return expr;
  let end = match.index + match[0].length;
  for (let depth = 1; depth > 0 && end < expr.length; end++) depth += { "(": 1, ")": -1 }[expr.charAt(end)] ?? 0;
  const inner = match[0] + wrapCalls(expr.slice(match.index + match[0].length, end), start, wrap);
  return expr.slice(0, match.index) + wrap(inner) + wrapCalls(expr.slice(end), start, wrap);
}

type RuleFile = {
  readonly groups: ReadonlyArray<{
    readonly name: string;
    readonly rules: ReadonlyArray<{ readonly expr: string; readonly for?: string; readonly keep_firing_for?: string }>;
  }>;
};

/** A rule file on the fast clock, as JSON, which is YAML. */
export function compressRules(text: string, compression: Compression): string {
  const { groups } = parse(text) as RuleFile;
  const compressed = groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({
      ...rule,
      ...("annotations" in rule ? { annotations: withoutLinks(rule.annotations) } : {}),
      expr: compressExpression(rule.expr, compression),
      ...(rule.for === undefined ? {} : { for: compressDuration(rule.for, compression) }),
      ...(rule.keep_firing_for === undefined
        ? {}
        : { keep_firing_for: compressDuration(rule.keep_firing_for, compression) }),
    })),
  }));
  return JSON.stringify({ groups: compressed });
}

/**
 * Links are templates with queries of their own, for each alert at each evaluation: on the fast clock they would take all the
 * processor time. Rule tests prove them.
 */
function withoutLinks(annotations: unknown): unknown {
  const kept = Object.entries(annotations ?? {}).filter(([name]) => name !== "runbook_url" && name !== "dashboard_url");
  return Object.fromEntries(kept);
}

/** Values under these keys, wherever they are in Alertmanager's configuration, are waits. */
const WAITS: ReadonlySet<string> = new Set(["group_wait", "group_interval", "repeat_interval"]);

/** Alertmanager's configuration on the fast clock. Repeat intervals stay, because the test counts notifications. */
export function compressRouting(value: unknown, compression: Compression): unknown {
  if (Array.isArray(value)) return value.map((each) => compressRouting(each, compression));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      WAITS.has(key) && key !== "repeat_interval" && typeof inner === "string"
        ? compressDuration(inner, compression)
        : compressRouting(inner, compression),
    ]),
  );
}
