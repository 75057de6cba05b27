import { z } from "zod";
import { createClient } from "../../api/transport/client.ts";
import { HOSTED_METHODS, placesOf, type HostedMethod } from "../../api/hosted/hosted-methods.ts";
import type { Config } from "../../config/config.ts";
import { didYouMean, quoted } from "../../config/base/error-texts.ts";
import type { ExitCode, System } from "../../daemon/system.ts";
import { keyHeaders } from "../../api/hosted/hosted-endpoint.ts";
import { attemptOf } from "../init/attempt.ts";
import { parseJson } from "../../config/base/parse-json.ts";
import { refuse } from "../text/refuse.ts";

/** Names of the hosted services in `call`, in place of a node's name. */
const TARGETS = { "data-api": "data", "metrics-api": "metrics" } as const;
const DEFAULT_URL = { data: "https://data-api.avax.network", metrics: "https://metrics.avax.network" } as const;

const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export function isHostedTarget(name: string | undefined): name is keyof typeof TARGETS {
  return name !== undefined && name in TARGETS;
}

/**
 * Sends one GET request to a hosted service and prints the answer. Parameters fill the path, and the others form the query.
 * @param timeout seconds
 */
export async function callHosted(
  [target, name, text = "{}"]: readonly [
    target: keyof typeof TARGETS,
    name: string | undefined,
    json: string | undefined,
  ],
  config: Config,
  timeout: number,
  system: System,
): Promise<ExitCode> {
  const service = TARGETS[target];
  const known = HOSTED_METHODS.filter((method) => method.service === service);
  const path = (name ?? "").replace(/^GET /, "");
  const method = known.find((each) => each.path === path) ?? known.find((each) => partsOf(each, path) !== undefined);
  if (method === undefined) {
    const names = known.map((each) => each.name);
    system.err(
      `avax-exporter call: unknown path ${quoted(name ?? "")} of the ${target}${didYouMean(name ?? "", names)}. Paths:\n`,
    );
    for (const each of known) system.err(`  ${each.name}  ${each.about}\n`);
    return 2;
  }
  const request = requestOf(method, text, partsOf(method, path));
  if ("problem" in request) return refuse(system, "call", request.problem);
  const settings = service === "data" ? config.dataApi : config.metricsApi;
  const client = createClient({
    url: settings?.url ?? DEFAULT_URL[service],
    headers: keyHeaders(settings?.key, settings?.keyHeader),
    proxyUrl: settings?.proxyUrl,
    noProxy: settings?.noProxy,
    connections: 1,
    maxResponseBytes: 64 * 1024 * 1024,
  });
  const resource = { name: method.name, path: request.path, about: method.about, result: z.unknown() };
  const { value, failure } = await attemptOf(client, timeout)((api) => api.get(resource, request.query));
  await client.close().catch(() => undefined);
  if (failure === undefined) system.out(`${JSON.stringify(value, null, 2)}\n`);
  else system.err(`${target}: ${failure.reason}: ${failure.message}\n`);
  return failure === undefined ? 0 : 1;
}

/** The values of the `{names}` in a path that is written out, such as `/v1/chains/43114`; `undefined` for any other path. */
function partsOf({ path }: HostedMethod, written: string): Readonly<Record<string, string>> | undefined {
  const pattern = path.replace(/\{(\w+)\}/g, "(?<$1>[^/:{}]+)");
  return new RegExp(`^${pattern}$`).exec(written)?.groups;
}

type Request = { readonly path: string; readonly query: ReadonlyArray<readonly [string, string]> };

function requestOf(
  { path, name }: HostedMethod,
  text: string,
  written: Readonly<Record<string, string>> = {},
): Request | { readonly problem: string } {
  const read = parameters.safeParse(parseJson(text)?.value);
  if (!read.success)
    return { problem: `the parameters of ${name} must be a JSON object of strings, numbers and booleans` };
  const given = { ...read.data, ...written };
  const places = placesOf(path);
  const missing = places.filter((place) => given[place] === undefined);
  if (missing.length > 0) return { problem: `${name} requires ${missing.join(" and ")}` };
  return {
    path: path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(String(given[place]))),
    query: Object.entries(given)
      .filter(([key]) => !places.includes(key))
      .map(([key, value]) => [key, String(value)] as const),
  };
}
