import type { Span } from "./dashboard.ts";

export type Series = {
  readonly metric: Readonly<Record<string, string>>;
  /** Unix seconds and numbers as text. */
  readonly values: ReadonlyArray<readonly [time: number, value: string]>;
};

type Answer = {
  readonly error?: string;
  readonly data?: {
    readonly result: ReadonlyArray<{
      readonly metric: Readonly<Record<string, string>>;
      readonly value?: readonly [number, string];
      readonly values?: ReadonlyArray<readonly [number, string]>;
    }>;
  };
};

/** What is true at the end of the span. */
export function askNow(expr: string, { to }: Span): Promise<readonly Series[]> {
  return ask("query", { query: expr, time: String(to) });
}

/** What was true at each step of the span. */
export function askSpan(expr: string, { from, to }: Span, step: number): Promise<readonly Series[]> {
  return ask("query_range", { query: expr, start: String(from), end: String(to), step: String(step) });
}

async function ask(path: string, parameters: Record<string, string>): Promise<readonly Series[]> {
  const response = await fetch(`/prometheus/api/v1/${path}`, { method: "POST", body: new URLSearchParams(parameters) });
  const { data, error } = (await response.json()) as Answer;
  if (data === undefined) throw new Error(`${parameters["query"] ?? ""}: ${error ?? response.status}`);
  return data.result.map(({ metric, value, values }) => ({
    metric,
    values: values ?? (value === undefined ? [] : [value]),
  }));
}
