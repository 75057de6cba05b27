import { chainRoute, gate } from "../world/chains.ts";
import { behaviourAt, heliconActive } from "../world/network.ts";
import { answerRpc, type RpcService } from "../world/rpc.ts";
import {
  BAD_ARGUMENT,
  fail,
  NOT_FOUND,
  ok,
  textParam,
  type Interface,
  type SimulatedMethod,
  type View,
} from "../world/wire.ts";

/** EVM admin API: always on in the specification; on a real node off by default and removed by Helicon. */

/** Some settings of an EVM chain, as AvalancheGo 1.14 and 1.15 print all of them. */
const VM_CONFIG = {
  "eth-apis": "eth eth-filter net web3 internal-eth internal-blockchain internal-transaction internal-tx-pool".split(
    " ",
  ),
  "continuous-profiler-dir": "",
  "rpc-gas-cap": 50000000,
  "trie-clean-cache": 512,
  "pruning-enabled": true,
  "commit-interval": 4096,
  "tx-pool-global-slots": 5120,
  "log-level": "warn",
  "state-sync-enabled": null,
  "batch-request-limit": 1000,
};

const LEVELS: ReadonlySet<string> = new Set(["trace", "debug", "info", "warn", "error", "crit"]);

const nothing: SimulatedMethod = () => ok({});

const setLogLevel: SimulatedMethod = (_view, params) => {
  const level = textParam(params, "level");
  if (level === undefined) return fail(BAD_ARGUMENT);
  return LEVELS.has(level) ? ok({}) : fail(`failed to parse log level: unknown level: ${level} `);
};

const methods: RpcService["methods"] = {
  getVMConfig: () => ok({ config: VM_CONFIG }),
  setLogLevel,
  startCPUProfiler: nothing,
  stopCPUProfiler: nothing,
  memoryProfile: nothing,
  lockProfile: nothing,
};

function isServed({ network, index, at, dialect }: View): boolean {
  if (dialect === "spec") return true;
  return behaviourAt(network, index, at).admin && !heliconActive(network, index, at);
}

/** Serves `/ext/bc/C/admin`. Methods have an underscore in the specification, a dot on a real node. */
export const admin: Interface = (request, view) => {
  const route = chainRoute(view, request.path);
  if (route?.chain !== "C" || route.rest !== "/admin") return undefined;
  const service = {
    name: "admin",
    methods,
    withArguments: ["setLogLevel"],
    ...(view.dialect === "spec" ? { separator: "_" } : {}),
  };
  return gate(view, "C") ?? (isServed(view) ? answerRpc(service, request, view) : NOT_FOUND);
};
