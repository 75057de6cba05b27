import type { Api, Method } from "../../src/api/endpoint.ts";
import { healthMethods, healthResources } from "../../src/api/node/health.ts";
import { infoMethods } from "../../src/api/node/info.ts";
import { platformMethods } from "../../src/api/node/platform.ts";

/** Recorded requests, sent with the methods and resources of the exporter. */

type Question = { readonly method: string; readonly path: string; readonly body?: string };

const methods = Object.values({ ...healthMethods, ...infoMethods, ...platformMethods }) as unknown as ReadonlyArray<
  Method<unknown, unknown>
>;

/** Sends the request with the exporter's method or resource. @throws if there is none */
export function askAs(api: Api, { method, path, body }: Question): Promise<unknown> {
  if (method === "GET") {
    const [plainPath, query] = path.split("?");
    const resource = Object.values(healthResources).find((each) => each.path === plainPath);
    if (resource === undefined) throw new Error(`no resource for ${path}`);
    return api.get(resource, [...new URLSearchParams(query)]);
  }
  const call = JSON.parse(body ?? "") as { readonly method: string; readonly params?: object };
  const found = methods.find(({ name }) => name === call.method);
  if (found === undefined) throw new Error(`no method ${call.method}`);
  return api.call(found, call.params ?? {});
}

/** Equal for equivalent requests. */
export function keyOf({ method, path, body }: Question): string {
  const { method: name, params } = JSON.parse(body === undefined || body === "" ? "{}" : body) as {
    readonly method?: string;
    readonly params?: unknown;
  };
  return JSON.stringify([method, path, name, params ?? {}]);
}
