import { healthResources } from "../../api/node/health.ts";
import { infoMethods } from "../../api/node/info.ts";
import { isConnectionLost, type Failure, type Reason } from "../../api/reasons.ts";
import { remedyFor } from "../../api/remedy-for.ts";
import { createClient } from "../../api/transport/client.ts";
import { bounded } from "../../api/bounded.ts";
import { attemptOf, type Attempt } from "./attempt.ts";
import { interfaceStates, type InterfaceState } from "./interface-states.ts";
import { servedSubnets, validatorOf, type ServedSubnets, type ValidatorRecord } from "./served-subnets.ts";

/** What a node answers about itself. A value is `undefined` when the node does not report it. */
export type Survey = ServedSubnets & {
  readonly url: string;
  readonly version: string | undefined;
  readonly interfaces: readonly InterfaceState[];
  readonly nodeId: string | undefined;
  readonly network: string | undefined;
  readonly networkId: number | undefined;
  /** In the set of the Primary Network. */
  readonly validator: ValidatorRecord;
  readonly primaryChains: readonly PrimaryChain[];
};

type Details = Omit<Survey, "url" | "version" | "interfaces">;

type PrimaryChain = {
  readonly name: "P" | "X" | "C";
  readonly state: "bootstrapped" | "bootstrapping" | "absent" | "unknown";
};

/** Why a URL has no node: a sentence without secrets. */
export type Unanswered = { readonly url: string; readonly problem: string };

const MAX_BYTES = 64 * 1024 * 1024;
const CONNECTIONS = 4;
const PRIMARY = ["P", "X", "C"] as const;

/** Failures after which other requests fail alike. */
const SAME_FOR_ALL: readonly Reason[] = ["timeout", "unauthorized", "host_forbidden", "redirect", "rate_limited"];

/** Surveys the node at a URL, with requests that only read. @param timeout deadline of each request, seconds */
export async function survey(url: string, timeout: number): Promise<Survey | Unanswered> {
  let header: string | undefined;
  const client = createClient(
    { url, headers: {}, connections: CONNECTIONS, maxResponseBytes: MAX_BYTES },
    (id) => (header = id),
  );
  const attempt = attemptOf(client, timeout);
  try {
    const first = await attempt((api) => api.call(infoMethods.getNodeVersion, {}));
    const { failure } = first;
    if (failure !== undefined && (isConnectionLost(failure.reason) || SAME_FOR_ALL.includes(failure.reason)))
      return { url, problem: problemOf(url, failure) };
    const interfaces = await interfaceStates(attempt);
    if (failure !== undefined && header === undefined && interfaces.every((each) => each.failure !== undefined))
      return { url, problem: problemOf(url, failure) };
    return { url, interfaces, version: shown(first.value?.version), ...(await details(attempt, () => header)) };
  } finally {
    await client.close().catch(() => undefined);
  }
}

async function details(attempt: Attempt, header: () => string | undefined): Promise<Details> {
  const [name, id, own, health, primaryChains] = await Promise.all([
    attempt((api) => api.call(infoMethods.getNetworkName, {})),
    attempt((api) => api.call(infoMethods.getNetworkID, {})),
    attempt((api) => api.call(infoMethods.getNodeID, {})),
    attempt((api) => api.get(healthResources.health)),
    Promise.all(PRIMARY.map((chain) => primaryChain(chain, attempt))),
  ]);
  const nodeId = own.value?.nodeID ?? header();
  const [served, validator] = await Promise.all([
    servedSubnets(health.value ?? { checks: {} }, nodeId, attempt),
    validatorOf(nodeId, attempt),
  ]);
  const network = shown(name.value?.networkName);
  return { nodeId: shown(nodeId), network, networkId: id.value?.networkID, validator, primaryChains, ...served };
}

const NO_SUCH_CHAIN = /no chain with alias/i;

async function primaryChain(name: PrimaryChain["name"], attempt: Attempt): Promise<PrimaryChain> {
  const { value, failure } = await attempt((api) => api.call(infoMethods.isBootstrapped, { chain: name }));
  if (value !== undefined) return { name, state: value.isBootstrapped ? "bootstrapped" : "bootstrapping" };
  return { name, state: NO_SUCH_CHAIN.test(failure?.rpcMessage ?? "") ? "absent" : "unknown" };
}

const shown = (text: string | undefined): string | undefined => (text === undefined ? undefined : bounded(text, 80));

/** Why a URL has no node, with the remedy. */
function problemOf(url: string, failure: Failure): string {
  const remedy = remedyFor(url, failure);
  return `${failure.reason}: ${failure.message}${remedy === undefined ? "" : `; ${remedy}`}`;
}
