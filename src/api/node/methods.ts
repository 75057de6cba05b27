import { z } from "zod";
import { adminMethods } from "./admin.ts";
import { isMissing, type Dialect } from "./dialect.ts";
import { ApiError, type Api, type Method } from "../endpoint.ts";
import { evmMethods, rpcPath, validatorsMethod } from "./evm.ts";
import { healthMethods, healthResources } from "./health.ts";
import { infoMethods } from "./info.ts";
import { ledgerMethods } from "./ledger.ts";
import { balanceMethods } from "./platform-balance.ts";
import { blockMethods } from "./platform-blocks.ts";
import { chainMethods } from "./platform-chains.ts";
import { feeMethods } from "./platform-fee.ts";
import { PLATFORM_PATH } from "./platform-method.ts";
import { supplyMethods } from "./platform-supply.ts";
import { platformMethods } from "./platform.ts";

/** Every method of the node specification by name: what the command `call` knows. */

/** Name and path of a method, without the types of its parameters and result. */
type Spelling = { readonly name: string; readonly path: string };

/** A method as it is called by name. */
export type Callable = {
  /** As the specification spells it. */
  readonly name: string;
  readonly about: string;
  /** What the parameters must be; anything goes for a method that is only known by its family. */
  readonly params: z.ZodType;
  /** Changes something: to be sent only when that was allowed. */
  readonly writes: boolean;
  /** GET instead of JSON-RPC. */
  readonly get: boolean;
  /** Served by every EVM chain, each at a path of its own. */
  readonly perChain: boolean;
  /** Spelt differently by real nodes. */
  readonly hasDialects: boolean;
  readonly spelling: (chain: string, dialect: Dialect) => Spelling;
  /** Proves without changing anything that this spelling is served; rejects with an `ApiError` when it is not. */
  readonly probe: (api: Api, chain: string, dialect: Dialect) => Promise<void>;
};

const nothing = (): Promise<void> => Promise.resolve();

type Described = Pick<Method<never, unknown>, "name" | "path" | "about"> & {
  readonly params: z.ZodType;
  readonly writes?: boolean;
};

function callable({ name, path, about, params, writes }: Described, more: Partial<Callable> = {}): Callable {
  const plain = { get: false, perChain: false, hasDialects: false, spelling: () => ({ name, path }), probe: nothing };
  return { name, about, params, writes: writes === true, ...plain, ...more };
}

/** A method that both spellings have, under the specification's name and by the real one's. */
function inBoth(
  key: string,
  methods: (chain: string, dialect: Dialect) => Readonly<Record<string, Described>>,
  more: Partial<Callable>,
): readonly Callable[] {
  const spelt = (chain: string, dialect: Dialect): Described => {
    const found = methods(chain, dialect)[key];
    if (found === undefined) throw new Error(`no method ${key}`);
    return found;
  };
  const real = (chain: string): Described => spelt(chain, "avalanchego");
  return [
    callable(spelt("C", "spec"), { ...more, hasDialects: true, spelling: spelt }),
    // Who names the real spelling wants that one.
    callable(real("C"), { ...more, spelling: real }),
  ];
}

async function probeLedger(api: Api, _chain: string, dialect: Dialect): Promise<void> {
  await served(api.call(ledgerMethods(dialect).getUTXOs, [{ addresses: [], sourceChain: "P" }]));
}

async function probeAdmin(api: Api, chain: string, dialect: Dialect): Promise<void> {
  await served(api.call(adminMethods(chain, dialect).getVMConfig, [{}]));
}

/** An error that a method itself gives is proof enough that the method is there. */
async function served(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.reason !== "rpc_error" || isMissing(error.failure)) throw error;
  }
}

const tag = z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() });

const ADMIN = ["getVMConfig", "setLogLevel", "startCPUProfiler", "stopCPUProfiler", "memoryProfile", "lockProfile"];
const LEDGER = ["getUTXOs", "getAtomicTxStatus", "getAtomicTx", "issueTx"];

const ALL: readonly Callable[] = [
  ...Object.values(healthResources).map(({ name, path, about }) =>
    callable({ name, path, about, params: tag }, { get: true }),
  ),
  ...Object.values(healthMethods).map((each) => callable(each)),
  ...Object.values(infoMethods).map((each) => callable(each)),
  ...[platformMethods, supplyMethods, feeMethods, chainMethods, balanceMethods, blockMethods].flatMap((methods) =>
    Object.values(methods).map((each: Described) => callable(each)),
  ),
  ...Object.values(evmMethods).map((each: Described) =>
    callable(each, { perChain: true, spelling: (chain) => ({ name: each.name, path: rpcPath(chain) }) }),
  ),
  callable(validatorsMethod, {
    perChain: true,
    spelling: (chain) => ({ name: validatorsMethod.name, path: `/ext/bc/${chain}/validators` }),
  }),
  ...ADMIN.flatMap((key) => inBoth(key, adminMethods, { perChain: true, probe: probeAdmin })),
  ...LEDGER.flatMap((key) => inBoth(key, (_chain, dialect) => ledgerMethods(dialect), { probe: probeLedger })),
];

/** Every method by name; of the EVM, info and P-Chain families those with declared parameters. */
export const METHODS: ReadonlyMap<string, Callable> = new Map(ALL.map((each) => [each.name, each]));

/** Families that are sent on as they are: an EVM chain's, and the methods of a node that the specification does not show. */
const EVM_FAMILY = /^(web3|net|eth|txpool|debug|personal)_[A-Za-z0-9_]+$/;
const NODE_FAMILY = /^(platform|info)\.[a-z][A-Za-z0-9]*$/;

/** Methods that only tell something, family by family; whatever else there is may change something. */
const READS: readonly RegExp[] = [
  /^(web3|net|txpool)_/,
  /^eth_(get|estimate|max|suggest)[A-Z]/,
  /^eth_(accounts|baseFee|blobBaseFee|blockNumber|call|callDetailed|chainId|createAccessList|feeHistory|gasPrice|syncing)$/,
  /^debug_(trace|get|print)[A-Z]/,
  /^debug_(accountRange|dbAncients?|dbGet|dumpBlock|gcStats|intermediateRoots|memStats|stacks|storageRangeAt)$/,
  /^(platform|info)\.(get|is|sample)[A-Z]/,
  /^(platform\.(validates|validatedBy)|info\.(acps|peers|uptime|upgrades))$/,
];

/** A method by name: a declared one, or one of a family that is sent on as it is; `undefined` for any other name. */
export function methodNamed(name: string): Callable | undefined {
  const known = METHODS.get(name.startsWith("/") ? `GET ${name}` : name);
  if (known !== undefined) return known;
  const writes = !READS.some((family) => family.test(name));
  const about = "Not described here: its parameters are sent on unchecked.";
  if (EVM_FAMILY.test(name)) {
    const described = { name, path: rpcPath("C"), about, params: z.array(z.unknown()), writes };
    return callable(described, { perChain: true, spelling: (chain) => ({ name, path: rpcPath(chain) }) });
  }
  if (!NODE_FAMILY.test(name)) return undefined;
  const path = name.startsWith("platform.") ? PLATFORM_PATH : "/ext/info";
  return callable({ name, path, about, params: z.record(z.string(), z.unknown()), writes });
}
