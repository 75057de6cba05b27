import { z } from "zod";
import { catalogueOf, nodeEndpoints } from "../../topics/define/catalogue.ts";
import { ApiError, type Api, type Call, type Endpoint, type Outcomes, type TargetFacts } from "../../api/endpoint.ts";
import { METHODS } from "../../api/node/methods.ts";
import { infoMethods } from "../../api/node/info.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import { TOPICS } from "../../topics/all/topics.ts";
import type { Attempt } from "../init/attempt.ts";
import { factsReader, networkFacts } from "../../poller/node/facts-reader.ts";

/** `call` with the ID of an endpoint: the requests of one poll, as the exporter sends them. Alerts name endpoints by their ID. */

let known: ReadonlyMap<string, Endpoint<unknown>> | undefined;

/** The endpoints of nodes by ID. */
export function callableEndpoints(): ReadonlyMap<string, Endpoint<unknown>> {
  return (known ??= new Map(nodeEndpoints(catalogueOf(TOPICS)).map((endpoint) => [endpoint.id, endpoint])));
}

/** Names of methods and endpoints, methods first. Methods that write are among them only where they are wanted. */
export function callNames(isWriting: boolean): readonly string[] {
  const methods = [...METHODS.values()].filter(({ writes }) => !writes || isWriting);
  return [...new Set([...methods.map(({ name }) => name.replace("GET ", "")), ...callableEndpoints().keys()])];
}

/** A request of a poll with its answer. */
type Exchange = {
  readonly key?: string;
  readonly method: string;
  readonly params: unknown;
  result?: unknown;
  error?: string;
};

type Polled = { readonly exchanges: readonly Exchange[]; readonly failures: readonly string[] };

/**
 * Polls an endpoint once for each of its keys: chains, subnets or wallets of the configuration.
 * @param chain blockchain ID or alias of the only chain to poll
 */
export async function callEndpoint(
  endpoint: Endpoint<unknown>,
  attempt: Attempt,
  { config, node, chain }: Polling,
): Promise<Polled | { readonly problem: string }> {
  const own = await ownFacts(attempt, config, node);
  const facts = endpoint.scope === "network" ? networkFacts(config, own) : own;
  const all = endpoint.keys(facts);
  const isChain = (key: string): boolean => facts.knownChains.some(({ id }) => id === key);
  if (chain !== undefined && !all.some(isChain))
    return { problem: `${endpoint.id} is not polled by chain; remove --chain` };
  const keys = chain === undefined ? all : [chain];
  if (keys.length === 0) return { problem: `${endpoint.id} has nothing to poll on this node with this configuration` };
  const exchanges: Exchange[] = [];
  const failures: string[] = [];
  for (const key of keys) {
    const about = key === "" ? {} : { key };
    const ask = (api: Api) => endpoint.ask(recorded(api, about, exchanges), key, facts, undefined);
    const { failure } = await attempt(ask);
    if (failure !== undefined) failures.push(`${key === "" ? "" : `${key}: `}${failure.reason}: ${failure.message}`);
  }
  return { exchanges, failures };
}

type Polling = { readonly config: Config; readonly node: NodeConfig; readonly chain: string | undefined };

async function ownFacts(attempt: Attempt, config: Config, node: NodeConfig): Promise<TargetFacts> {
  const [id, name] = await Promise.all([
    attempt((api) => api.call(infoMethods.getNodeID, {})),
    attempt((api) => api.call(infoMethods.getNetworkName, {})),
  ]);
  const known = { config: node, identity: { nodeId: id.value?.nodeID, networkName: name.value?.networkName } };
  return factsReader({ ...config, nodes: [node] }, [known])(known);
}

/** The same interface, with each answer as the node sent it. */
function recorded(api: Api, about: Pick<Exchange, "key">, exchanges: Exchange[]): Api {
  /** A request with a place for its answer, which its schema also keeps. */
  const kept = <M extends { readonly name: string; readonly result: z.ZodType }>(method: M, params: unknown) => {
    const exchange: Exchange = { ...about, method: method.name, params };
    exchanges.push(exchange);
    const result = z.preprocess((answer) => (exchange.result = answer), method.result);
    // The wrapped schema gives what the original one gives.
    return { exchange, method: { ...method, result } as unknown as M };
  };
  async function orFailed<T>(some: readonly Exchange[], answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError) for (const exchange of some) exchange.error = error.message;
      throw error;
    }
  }
  return {
    call(given, params) {
      const { exchange, method } = kept(given, params);
      return orFailed([exchange], api.call(method, params));
    },
    get(given, query = []) {
      const { exchange, method } = kept(given, Object.fromEntries(query));
      return orFailed([exchange], api.get(method, query));
    },
    async batch<const C extends readonly Call[]>(path: string, calls: C): Promise<Outcomes<C>> {
      const all = calls.map(({ method, params }) => ({ params, ...kept(method, params) }));
      const outcomes = await orFailed(
        all.map(({ exchange }) => exchange),
        api.batch(path, all),
      );
      for (const [index, { exchange }] of all.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined && "error" in outcome) exchange.error = outcome.error.message;
      }
      // The wrapped calls have the results of the original ones; the compiler cannot relate the positions of both.
      return outcomes as unknown as Outcomes<C>;
    },
  };
}
