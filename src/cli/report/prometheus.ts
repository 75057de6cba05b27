import { z } from "zod";

/** One series of an answer: its labels, and its samples as time (Unix seconds) and value. */
export type Track = {
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

/** What Prometheus writes of a query that exceeds its limits. */
const TOO_MUCH = /too many samples|timed out/;

export type PrometheusClient = Readonly<ReturnType<typeof prometheusAt>>;

type Options = {
  /** Base URL without a slash at the end. */
  readonly url: string;
  /** Value of the header `authorization`. */
  readonly authorization?: string | undefined;
  /** For each request, milliseconds. */
  readonly timeout: number;
};

/** An answer of a thousand nodes has some megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
const answered = z.object({ status: z.literal("success"), data: z.unknown() });
const failed = z.object({ status: z.literal("error"), error: z.string() });
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

/** A client of a Prometheus. Its functions reject with a `PrometheusError`. */
export function prometheusAt({ url, authorization, timeout }: Options) {
  const limit = (): AbortSignal => AbortSignal.timeout(timeout);
  const headers = authorization === undefined ? {} : { authorization };
  const ask = async (path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> => {
    const request = { method: "POST", headers, body: new URLSearchParams(parameters), signal: limit() };
    const response = await fetch(`${url}${path}`, request).catch((error: unknown) => {
      throw new PrometheusError(unreachable(url, error, timeout), isTimeout(error));
    });
    if (response.status === 401 || response.status === 403)
      throw new PrometheusError(`${url} answered ${response.status}: set credentials with --prometheus.auth-file`);
    const text = await textOf(response, url, timeout);
    const answer = parsed(text);
    const problem = failed.safeParse(answer);
    if (problem.success) {
      const { error } = problem.data;
      throw new PrometheusError(`${url} rejected a query: ${error.slice(0, 500)}`, TOO_MUCH.test(error));
    }
    const good = answered.safeParse(answer);
    if (!good.success) throw notPrometheus(url, response.status);
    return good.data.data;
  };
  const checked = <T>(schema: z.ZodType<T>, data: unknown): T => {
    const result = schema.safeParse(data);
    if (!result.success) throw notPrometheus(url, 200);
    return result.data;
  };
  /** An answer that a server can lack. */
  const optional = async <T>(schema: z.ZodType<T>, path: string): Promise<T | undefined> => {
    const response = await fetch(`${url}${path}`, { headers, signal: limit() }).catch(() => undefined);
    if (response?.ok !== true) return undefined;
    const answer = answered.safeParse(parsed(await textOf(response, url, timeout)));
    return schema.safeParse(answer.data?.data).data;
  };
  return {
    /** @param at Unix seconds */
    async instant(expr: string, at: number): Promise<readonly Track[]> {
      const { result } = checked(vector, await ask("/api/v1/query", { query: expr, time: String(at) }));
      return result.map(({ metric, value }) => ({ labels: metric, samples: [numbers(value)] }));
    },
    /** @param step seconds */
    async range(expr: string, from: number, until: number, step: number): Promise<readonly Track[]> {
      const times = { start: String(from), end: String(until), step: String(step) };
      const { result } = checked(matrix, await ask("/api/v1/query_range", { query: expr, ...times }));
      return result.map(({ metric, values }) => ({ labels: metric, samples: values.map(numbers) }));
    },
    /** Names of the alerting rules that this Prometheus evaluates; `undefined` where it does not list them. */
    async alertNames(): Promise<ReadonlySet<string> | undefined> {
      const listed = await optional(rules, "/api/v1/rules?type=alert");
      return listed && new Set(listed.groups.flatMap((group) => group.rules.map(({ name }) => name)));
    },
    /** Names of the series of these selectors in a period; `undefined` where it does not list them. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body, up to a limit. */
async function textOf(response: Response, url: string, timeout: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > MOST_BYTES)
        throw new PrometheusError(
          `the answer of ${url} is larger than ${MOST_BYTES / 1024 / 1024} MB: choose fewer series with --selector or a shorter --since`,
          true,
        );
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof PrometheusError
      ? error
      : new PrometheusError(unreachable(url, error, timeout), isTimeout(error));
  }
  return Buffer.concat(chunks).toString();
}

function notPrometheus(url: string, status: number): PrometheusError {
  return new PrometheusError(`${url} is not a Prometheus: its query API answered ${status} without a result`);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function unreachable(url: string, error: unknown, timeout: number): string {
  if (isTimeout(error))
    return `${url} did not answer within ${timeout / 1000} s: set a longer --report.timeout or a shorter --since`;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: "connection refused",
    ENOTFOUND: "no such host",
    EAI_AGAIN: "the name server did not answer",
    ECONNRESET: "connection reset",
    UND_ERR_SOCKET: "the connection was lost",
  };
  const why = words[code] ?? (cause instanceof Error ? cause.message : "no connection");
  return `cannot reach ${url}: ${why}`;
}
