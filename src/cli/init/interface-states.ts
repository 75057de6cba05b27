import { adminMethods } from "../../api/node/admin.ts";
import { inDialect } from "../../api/node/dialect.ts";
import type { Api } from "../../api/endpoint.ts";
import { evmMethods } from "../../api/node/evm-methods.ts";
import { healthResources } from "../../api/node/health.ts";
import { infoMethods } from "../../api/node/info.ts";
import { ledgerMethods } from "../../api/node/waiting-utxos.ts";
import { isServed } from "../../api/node/methods.ts";
import { stateMethods } from "../../api/node/platform-state.ts";
import type { Failure } from "../../api/reasons.ts";
import type { Attempt } from "./attempt.ts";

/** The interfaces of a node that metrics need, each with one request that shows whether the node serves it. */

/** An interface, and why it does not answer. */
export type InterfaceState = {
  readonly name: string;
  /** Whether it serves the endpoint with this ID. */
  readonly serves: (endpoint: string) => boolean;
  /** Served by the C-Chain. */
  readonly ofCChain?: true;
  readonly failure: Failure | undefined;
};

type Probe = Omit<InterfaceState, "failure"> & { readonly ask: (api: Api) => Promise<unknown> };

export const ADMIN = "admin API";

const PROBES: readonly Probe[] = [
  { name: "info API", serves: (id) => id.startsWith("info."), ask: (api) => api.call(infoMethods.getNodeVersion, {}) },
  { name: "health API", serves: (id) => id.startsWith("health"), ask: (api) => api.get(healthResources.health) },
  {
    name: "P-Chain API",
    serves: (id) => id.startsWith("platform."),
    ask: (api) => api.call(stateMethods.getCurrentSupply, {}),
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

/** The state of every interface. */
export async function interfaceStates(attempt: Attempt): Promise<readonly InterfaceState[]> {
  return Promise.all(PROBES.map(async ({ ask, ...each }) => ({ ...each, failure: (await attempt(ask)).failure })));
}
