import { z } from "zod";
import { adminMethods } from "./admin.ts";
import { isMissing, type Dialect } from "./dialect.ts";
import { ApiError, type Api, type Method } from "../endpoint.ts";
import { evmMethods, rpcPath, validatorsMethod } from "./evm-methods.ts";
import { healthMethods, healthResources } from "./health.ts";
import { infoMethods } from "./info.ts";
import { ledgerMethods } from "./waiting-utxos.ts";
import { stateMethods } from "./platform-state.ts";
import { blockMethods } from "./platform-blocks.ts";
import { PLATFORM_PATH, platformMethods } from "./platform.ts";

/** Every method of the node specification by name, for the command `call`. */

type Spelling = { readonly name: string; readonly path: string };

/** A method that can be called by name. */
export type Callable = {
  /** Name in the specification. */
  readonly name: string;
  readonly about: string;
  /** Schema of the parameters; accepts any for a method that is not declared. */
  readonly params: z.ZodType;
  /** Can change state: needs permission to send. */
  readonly writes: boolean;
  /** GET instead of JSON-RPC. */
  readonly get: boolean;
  /** Served by every EVM chain, at the path of the chain. */
  readonly perChain: boolean;
  /** Real nodes use another name and path. */
  readonly hasDialects: boolean;
  readonly spelling: (chain: string, dialect: Dialect) => Spelling;
  /** Verifies, without changing state, that the node serves the dialect; rejects with an `ApiError` if not. */
  readonly probe: (api: Api, chain: string, dialect: Dialect) => Promise<void>;
};

type Described = Pick<Method<never, unknown>, "name" | "path" | "about"> & {
  readonly params: z.ZodType;
  readonly writes?: boolean;
};

function callable({ name, path, about, params, writes = false }: Described, more: Partial<Callable> = {}): Callable {
  return {
    ...{ name, about, params, writes, get: false, perChain: false, hasDialects: false },
    spelling: () => ({ name, path }),
    probe: () => Promise.resolve(),
    ...more,
  };
}

/** Methods of both dialects: by their names in the specification, and by their names on real nodes. */
function inBothDialects(
  methods: (chain: string, dialect: Dialect) => Readonly<Record<string, Described>>,
  more: Partial<Callable>,
): readonly Callable[] {
  return Object.entries(methods("C", "spec")).flatMap(([key, declared]) => {
    const methodIn = (chain: string, dialect: Dialect): Described => methods(chain, dialect)[key] ?? declared;
    const real = (chain: string): Described => methodIn(chain, "avalanchego");
    return [
      callable(declared, { ...more, hasDialects: true, spelling: methodIn }),
      // The name on real nodes selects their dialect.
      callable(real("C"), { ...more, spelling: real }),
    ];
  });
}

/** Resolves also for an error of the method itself: it proves that the method is served. */
export async function isServed(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.reason !== "rpc_error" || isMissing(error.failure)) throw error;
  }
}

const tag = z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() });

const ALL: readonly Callable[] = [
  ...Object.values(healthResources).map(({ name, path, about }) =>
    callable({ name, path, about, params: tag }, { get: true }),
  ),
  ...Object.values(healthMethods).map((method) => callable(method)),
  ...Object.values(infoMethods).map((each) => callable(each)),
  ...[platformMethods, stateMethods, blockMethods].flatMap((methods) =>
    Object.values(methods).map((each: Described) => callable(each)),
  ),
  ...Object.values(evmMethods).map((each: Described) =>
    callable(each, { perChain: true, spelling: (chain) => ({ name: each.name, path: rpcPath(chain) }) }),
  ),
  callable(validatorsMethod, {
    perChain: true,
    spelling: (chain) => ({ name: validatorsMethod.name, path: `/ext/bc/${chain}/validators` }),
  }),
  ...inBothDialects(adminMethods, {
    perChain: true,
    probe: (api, chain, dialect) => isServed(api.call(adminMethods(chain, dialect).getVMConfig, [])),
  }),
  ...inBothDialects((_chain, dialect) => ledgerMethods(dialect), {
    probe: (api, _chain, dialect) =>
      isServed(api.call(ledgerMethods(dialect).getUTXOs, [{ addresses: [], sourceChain: "P" }])),
  }),
];

/** Every declared method by name. */
export const METHODS: ReadonlyMap<string, Callable> = new Map(ALL.map((each) => [each.name, each]));

/** Families of methods that are sent without a declaration. */
const EVM_FAMILY = /^(web3|net|eth|txpool|debug|personal)_[A-Za-z0-9_]+$/;
const NODE_FAMILY = /^(platform|info)\.[a-z][A-Za-z0-9]*$/;

/** Methods that only read. Any other method can change state. */
const READS: readonly RegExp[] = [
  /^(web3|net|txpool)_/,
  /^eth_(get|estimate|max|suggest)[A-Z]/,
  /^eth_(accounts|baseFee|blobBaseFee|blockNumber|call|callDetailed|chainId|createAccessList|feeHistory|gasPrice|syncing)$/,
  /^debug_(trace|get|print)[A-Z]/,
  /^debug_(accountRange|dbAncients?|dbGet|dumpBlock|gcStats|intermediateRoots|memStats|stacks|storageRangeAt)$/,
  /^(platform|info)\.(get|is|sample)[A-Z]/,
  /^(platform\.(validates|validatedBy)|info\.(acps|peers|uptime|upgrades))$/,
];

/** A method by name: a declared one, or one of the families above; `undefined` for any other name. */
export function methodNamed(name: string): Callable | undefined {
  const known = METHODS.get(name.startsWith("/") ? `GET ${name}` : name);
  if (known !== undefined) return known;
  const writes = !READS.some((family) => family.test(name));
  const about = "Not described here: parameters are sent unchecked.";
  if (EVM_FAMILY.test(name)) {
    const described = { name, path: rpcPath("C"), about, params: z.array(z.unknown()), writes };
    return callable(described, { perChain: true, spelling: (chain) => ({ name, path: rpcPath(chain) }) });
  }
  if (!NODE_FAMILY.test(name)) return undefined;
  const path = name.startsWith("platform.") ? PLATFORM_PATH : "/ext/info";
  return callable({ name, path, about, params: z.record(z.string(), z.unknown()), writes });
}
