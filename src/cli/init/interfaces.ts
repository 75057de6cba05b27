import { adminMethods } from "../../api/node/admin.ts";
import { inDialect } from "../../api/node/dialect.ts";
import { ApiError, type Api, type Method } from "../../api/endpoint.ts";
import { evmMethods } from "../../api/node/evm.ts";
import { healthResources } from "../../api/node/health.ts";
import { infoMethods } from "../../api/node/info.ts";
import { ledgerMethods } from "../../api/node/ledger.ts";
import { stateMethods } from "../../api/node/platform-state.ts";
import type { Failure } from "../../api/reasons.ts";

/** The interfaces of a node that metrics need, each with one request that shows whether the node serves it. */

export type Outcome<T> = { readonly value?: T; readonly failure?: Failure };

/** Runs requests with a deadline. */
export type Attempt = <T>(ask: (api: Api) => Promise<T>) => Promise<Outcome<T>>;

/** An interface, or a single method that servers can lack, and why it does not answer. */
export type InterfaceState = {
  readonly name: string;
  /** Whether it serves the endpoint with this ID. */
  readonly serves: (endpoint: string) => boolean;
  /** Served by the C-Chain. */
  readonly ofCChain?: true;
  readonly failure: Failure | undefined;
};

type Probe = Omit<InterfaceState, "failure"> & { readonly ask: (api: Api) => Promise<unknown> };

const probe = <R>(method: Method<object, R>): Probe => ({
  name: method.name,
  serves: (id) => id === method.name,
  ask: (api) => api.call(method, {}),
});

/** Methods of the info API that some servers leave out. */
const INFO = [
  probe(infoMethods.getNodeVersion),
  probe(infoMethods.getNetworkID),
  probe(infoMethods.getNetworkName),
  probe(infoMethods.getNodeID),
  probe(infoMethods.getNodeIP),
  probe(infoMethods.getVMs),
  probe(infoMethods.peers),
  probe(infoMethods.upgrades),
];

export const ADMIN = "admin API";

const OTHERS: readonly Probe[] = [
  {
    name: "health API",
    serves: (id) => id.startsWith("health"),
    ask: (api) => api.get(healthResources.health),
  },
  {
    name: "P-Chain API",
    serves: (id) => id.startsWith("platform."),
    ask: (api) => api.call(stateMethods.getTimestamp, {}),
  },
  {
    name: "C-Chain RPC",
    ofCChain: true,
    serves: (id) => id.startsWith("evm.") && id !== "evm.validators",
    ask: (api) => api.call(evmMethods.chainId, []),
  },
  {
    name: "C-Chain ledger API",
    ofCChain: true,
    serves: (id) => id.startsWith("ledger."),
    ask: (api) =>
      inDialect("auto", undefined, (dialect) =>
        isServed(api.call(ledgerMethods(dialect).getUTXOs, [{ addresses: [], sourceChain: "P" }])),
      ),
  },
  {
    name: ADMIN,
    ofCChain: true,
    serves: (id) => id.startsWith("admin."),
    ask: (api) => inDialect("auto", undefined, (dialect) => api.call(adminMethods("C", dialect).getVMConfig, [])),
  },
];

/** The state of every interface. Methods of the info API are listed one by one unless all fail. */
export async function interfaceStates(attempt: Attempt): Promise<readonly InterfaceState[]> {
  const stateOf = async ({ ask, ...each }: Probe): Promise<InterfaceState> => ({
    ...each,
    failure: (await attempt(ask)).failure,
  });
  const [info, others] = await Promise.all([Promise.all(INFO.map(stateOf)), Promise.all(OTHERS.map(stateOf))]);
  const failing = info.filter(({ failure }) => failure !== undefined);
  const whole = { name: "info API", serves: (id: string) => id.startsWith("info.") };
  const isOff = failing.length === INFO.length;
  return [{ ...whole, failure: isOff ? failing[0]?.failure : undefined }, ...(isOff ? [] : failing), ...others];
}

/** Resolves also for an error of the method itself, which proves that the node serves it. */
async function isServed(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.reason !== "rpc_error") throw error;
  }
}
