import type { Client } from "../../src/api/transport/client.ts";
import type { Connection } from "../../src/api/transport/connection.ts";
import { ApiError, type Api, type Resource } from "../../src/api/endpoint.ts";
import { hideSecrets } from "../../src/api/hide-secrets.ts";
import { statusFailure, waitOf } from "../../src/api/transport/failures.ts";
import { NOTHING_WANTED, type HostedSubjects } from "../../src/api/hosted/hosted-endpoint.ts";
import type { Config, HostedConfig } from "../../src/config/config.ts";
import { defaultConfig } from "../../src/config/default-config.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import {
  createHostedServices,
  type HostedServiceOptions,
  type HostedServices,
  type HostedRequestRecord,
} from "../../simulator/hosted/hosted-service.ts";
import { benchOf, type Bench } from "./engines.ts";
import { fakeClock } from "./fake-clock.ts";

/** A whole body, or a function that returns the page for a token (`undefined` for the first page). */
export type Body = Readonly<Record<string, unknown>> | ((token: string | undefined) => object);

/** The page of a body for a token, copied through JSON. */
export function pageOf(body: Body, token?: string): unknown {
  return JSON.parse(JSON.stringify(typeof body === "function" ? body(token) : body));
}

/** A poller of the simulated hosted services on a fake clock, without sockets. */
export type HostedBench = Omit<Bench, "nodes" | "node" | "missed" | "details"> & {
  readonly services: HostedServices;
  /** Connections opened so far. */
  readonly connections: Connection[];
  /** Bodies instead of the simulated ones, by path. */
  readonly instead: Map<string, Body>;
  /** Seconds. */
  latency: number;
  /** Number of concurrent requests with the same content on one connection: must stay 0. */
  overlaps: number;
};

const DATA_URL = "http://data.test";
const METRICS_URL = "http://metrics.test";

/**
 * @param world clock and services of another bench, to test a restart of the exporter
 */
export function hostedBench(
  options: Partial<HostedServiceOptions> = {},
  world?: Pick<HostedBench, "clock" | "services">,
): HostedBench {
  const clock = world?.clock ?? fakeClock({ start: 1_799_971_200 + 7 * 3600 });
  const services = world?.services ?? createHostedServices({ start: clock.now(), ...options });
  const connect = (connection: Connection) => clientOf(bench, connection);
  const catalogue = catalogueOf(TOPICS.filter(({ scope }) => scope === "hosted"));
  const base = benchOf([], { catalogue, clock, connect });
  const bench: HostedBench = {
    ...base,
    logged: base.details,
    services,
    connections: [],
    instead: new Map(),
    latency: 0.05,
    overlaps: 0,
  };
  return bench;
}

/** The maximum sum of units within any range of `seconds`. @param requests in the order of their times */
export function mostWithin(requests: readonly HostedRequestRecord[], seconds: number): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { at, units } of requests) {
    sum += units;
    for (let oldest = requests[first]; oldest !== undefined && oldest.at <= at - seconds; oldest = requests[++first])
      sum -= oldest.units;
    most = Math.max(most, sum);
  }
  return most;
}

function clientOf(bench: HostedBench, connection: Connection): Client {
  const { url, headers } = connection;
  bench.connections.push(connection);
  const { clock, services } = bench;
  let closed = false;
  const underWay = new Set<string>();
  const service = url === DATA_URL ? "data" : "metrics";
  const hide = hideSecrets(headers, url);
  const get = async <R>(resource: Resource<R>, query: ReadonlyArray<readonly [string, string]> = []): Promise<R> => {
    const other = bench.instead.get(resource.path);
    const token = query.find(([name]) => name === "pageToken")?.[1];
    if (other !== undefined) return parsed(resource, pageOf(other, token));
    const reply = services.answer(
      service,
      {
        method: "GET",
        path: decodeURIComponent(resource.path),
        query: new URLSearchParams(query.map(([a, b]): [string, string] => [a, b])),
        headers,
      },
      clock.now(),
    );
    const id = `${resource.path} ${JSON.stringify(query)}`;
    if (underWay.has(id)) bench.overlaps++;
    underWay.add(id);
    await new Promise<void>((resolve) => clock.after(bench.latency, resolve));
    underWay.delete(id);
    if (closed) throw new ApiError({ reason: "reset", message: "closed" });
    if (reply.status !== 200)
      throw new ApiError(
        statusFailure(
          reply.status,
          reply.body,
          waitOf(reply.headers ?? {}),
          (hide?.(reply.body) ?? reply.body).slice(0, 160),
        ),
      );
    return parsed(resource, JSON.parse(reply.body));
  };
  const reject = () => Promise.reject(new Error("no JSON-RPC here"));
  const api: Api = { call: reject, batch: reject, get };
  return {
    within: (_timeout, ask) => ask(api),
    listen: () => {
      throw new Error("no sockets here");
    },
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

function parsed<R>(resource: Resource<R>, body: unknown): R {
  const read = resource.result.safeParse(body);
  if (!read.success) throw new ApiError({ reason: "schema", message: read.error.message });
  return read.data;
}

type Parts = {
  readonly data?: Partial<HostedSubjects>;
  readonly metrics?: Partial<HostedSubjects>;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly key?: string;
  readonly keyHeader?: string;
  readonly endpoints?: Config["endpoints"];
};

export function hostedConfig({
  data,
  metrics,
  perMinute = 6000,
  perDay = 1_200_000,
  key,
  keyHeader,
  endpoints = {},
}: Parts): Config {
  const base: Omit<HostedConfig, "url" | "wanted"> = {
    budget: { perMinute, perDay },
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(key === undefined ? {} : { key }),
  };
  return {
    ...defaultConfig(),
    nodes: [],
    endpoints,
    ...(data === undefined ? {} : { dataApi: { ...base, url: DATA_URL, wanted: { ...NOTHING_WANTED, ...data } } }),
    ...(metrics === undefined
      ? {}
      : { metricsApi: { ...base, url: METRICS_URL, wanted: { ...NOTHING_WANTED, ...metrics } } }),
  };
}

export const AVAX = "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z";
export const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";
export const WALLET = "avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae";
export const ACCOUNT = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";

/** An ERC-20 token whose amounts are counted. */
export const TOKEN = "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E";

/** One of each subject of the Data API. */
export const ALL_DATA: Partial<HostedSubjects> = {
  avaxAssetId: AVAX,
  validators: [NODE],
  wallets: [WALLET],
  utxoChains: ["p-chain", "x-chain", "c-chain"],
  blockChains: ["p-chain"],
  accounts: [{ chain: "43114", address: ACCOUNT }],
  tokens: [{ chain: "43114", address: TOKEN }],
  chains: ["43114", "99999"],
  contracts: [{ chain: "43114", address: ACCOUNT }],
  collections: [{ chain: "43114", address: ACCOUNT }],
  nfts: [{ chain: "43114", address: ACCOUNT, tokenId: "1" }],
};
