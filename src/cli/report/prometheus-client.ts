import { z } from "zod";
import { noAnswer } from "../text/refuse.ts";
import { parseJson } from "../../config/base/parse-json.ts";

/** One series of an answer: its labels, and its samples as time (Unix seconds) and value. */
export type RangeSeries = {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: ReadonlyArray<readonly [at: number, value: number]>;
};

/** A sentence that names the problem and the remedy. */
export class PrometheusError extends Error {
  /** A query about less time can succeed. */
  readonly isTooMuch: boolean;

  constructor(message: string, isTooMuch = false) {
    super(message);
    this.isTooMuch = isTooMuch;
  }
}

/** Of a period without any sample. */
export const NO_SERIES =
  "this Prometheus has no series of the exporter in this period: check its scrape job, --since and --selector";

/** What Prometheus writes of a query that exceeds its limits. */
const TOO_MUCH = /too many samples|timed out/;

export type PrometheusClient = {
  /** @param at Unix seconds */
  instant(expr: string, at: number): Promise<readonly RangeSeries[]>;
  /** @param step seconds */
  range(expr: string, from: number, until: number, step: number): Promise<readonly RangeSeries[]>;
  /** Names of the alerting rules that this Prometheus evaluates; `undefined` where it does not list them. */
  alertNames(): Promise<ReadonlySet<string> | undefined>;
  /** Names of the series of these selectors in a period; `undefined` where it does not list them. */
  seriesNames(selectors: readonly string[], from: number, until: number): Promise<ReadonlySet<string> | undefined>;
};

const labels = z.record(z.string(), z.string());
/** The last date, Unix seconds. */
const LAST = 8.64e12;
const sample = z.tuple([z.number().min(0).max(LAST), z.string()]);
const vector = z.object({
  resultType: z.literal("vector"),
  result: z.array(z.object({ metric: labels, value: sample })),
});
const matrix = z.object({
  resultType: z.literal("matrix"),
  result: z.array(z.object({ metric: labels, values: z.array(sample) })),
});
const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ type: z.string(), name: z.string() })) })),
});
const refusal = z.object({ status: z.literal("error"), error: z.string() });

/**
 * A client of a Prometheus. Its functions reject with a `PrometheusError`.
 * @param url without a slash at the end
 * @param timeout of each request, milliseconds
 * @param authorization value of the header
 */
export function prometheusAt(url: string, timeout: number, authorization?: string): PrometheusClient {
  /** Sends a GET, or a POST where there is a body. */
  const received = async (path: string, body?: URLSearchParams) => {
    const headers = authorization === undefined ? {} : { authorization };
    const request = { headers, redirect: "manual" as const, ...(body === undefined ? {} : { method: "POST", body }) };
    try {
      const response = await fetch(`${url}${path}`, { ...request, signal: AbortSignal.timeout(timeout) });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      const remedy = isTimeout ? ": set a longer --report.timeout or a shorter --since" : "";
      throw new PrometheusError(`cannot ask ${url}: ${noAnswer(error, timeout)}${remedy}`, isTimeout);
    }
  };
  const ask = async <T>(schema: z.ZodType<T>, path: string, body?: Readonly<Record<string, string>>): Promise<T> => {
    const { status, text } = await received(path, body && new URLSearchParams(body));
    if (status === 401 || status === 403)
      throw new PrometheusError(`${url} answered ${status}: set credentials with --prometheus.auth-file`);
    if (status >= 300 && status < 400)
      throw new PrometheusError(`${url} answered ${status}: redirects are not followed, pass the URL that it leads to`);
    const answer = z
      .union([refusal, z.object({ status: z.literal("success"), data: schema })])
      .safeParse(parseJson(text)?.value);
    if (!answer.success)
      throw new PrometheusError(`${url} is not a Prometheus: its query API answered ${status} without a result`);
    if (answer.data.status === "success") return answer.data.data;
    const { error } = answer.data;
    throw new PrometheusError(`${url} rejected a query: ${error.slice(0, 500)}`, TOO_MUCH.test(error));
  };
  /** An answer that a server can lack. */
  const optional = <T>(schema: z.ZodType<T>, path: string): Promise<T | undefined> =>
    ask(schema, path).catch(() => undefined);
  return {
    async instant(expr: string, at: number): Promise<readonly RangeSeries[]> {
      const { result } = await ask(vector, "/api/v1/query", { query: expr, time: String(at) });
      return result.map(({ metric, value }) => ({ labels: metric, samples: [numbers(value)] }));
    },
    async range(expr: string, from: number, until: number, step: number): Promise<readonly RangeSeries[]> {
      const times = { start: String(from), end: String(until), step: String(step) };
      const { result } = await ask(matrix, "/api/v1/query_range", { query: expr, ...times });
      return result.map(({ metric, values }) => ({ labels: metric, samples: values.map(numbers) }));
    },
    async alertNames(): Promise<ReadonlySet<string> | undefined> {
      const listed = await optional(rules, "/api/v1/rules?type=alert");
      return listed && new Set(listed.groups.flatMap((group) => group.rules.map(({ name }) => name)));
    },
    async seriesNames(
      selectors: readonly string[],
      from: number,
      until: number,
    ): Promise<ReadonlySet<string> | undefined> {
      const parameters = new URLSearchParams({ start: String(from), end: String(until) });
      for (const selector of selectors) parameters.append("match[]", selector);
      const names = await optional(z.array(z.string()), `/api/v1/label/__name__/values?${parameters.toString()}`);
      return names && new Set(names);
    },
  };
}

function numbers([at, text]: readonly [number, string]): readonly [number, number] {
  return [at, Number(text.replace("Inf", "Infinity"))];
}
