import { ApiError, type Api, type Method, type Resource } from "../../src/api/endpoint.ts";

/** One request of an endpoint. */
export type Scripted = { readonly name: string; readonly path: string; readonly params: unknown };

/** An `Api` with the raw answers of a test, which the exporter's schemas validate. Records every request. */
export function scriptedApi(answer: (request: Scripted) => unknown): Api & { readonly asked: readonly Scripted[] } {
  const asked: Scripted[] = [];
  const take = (request: Scripted, schema: Method<never, unknown>["result"]): unknown => {
    asked.push(request);
    const parsed = schema.safeParse(answer(request));
    if (parsed.success) return parsed.data;
    throw new ApiError({ reason: "schema", message: parsed.error.message });
  };
  return {
    asked,
    call: <P, R>({ name, path, result }: Method<P, R>, params: P) =>
      Promise.try(() => take({ name, path, params }, result) as R),
    get: <R>({ name, path, result }: Resource<R>, query: unknown = []) =>
      Promise.try(() => take({ name, path, params: query }, result) as R),
    batch: () => Promise.reject(new ApiError({ reason: "unsupported", message: "no batches" })),
  };
}

/** An error of the node. */
export const rpcError = (rpcMessage: string): ApiError =>
  new ApiError({ reason: "rpc_error", message: rpcMessage, rpcMessage, status: 200 });

/** The failure for a missing method. */
export const unsupported = (): ApiError =>
  new ApiError({ reason: "unsupported", message: "can't find method", rpcMessage: "can't find method" });

export const notFound = (): ApiError => new ApiError({ reason: "http_status", message: "HTTP 404", status: 404 });

const withStatus = (status: number) => (): ApiError =>
  new ApiError({ reason: status === 403 ? "unauthorized" : "http_status", message: `HTTP ${status}`, status });

/** Words with which servers refuse what they lack. */
export const REFUSALS: ReadonlyArray<readonly [string, () => ApiError]> = [
  ["-32000", () => rpcError("not available here")],
  ...[400, 403, 405, 501, 503].map((status) => [`HTTP ${status}`, withStatus(status)] as const),
];
