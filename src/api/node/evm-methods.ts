import { z } from "zod";
import { methodsAt, type Call, type TargetFacts } from "../endpoint.ts";
import { balance, block, counted, forkTimes, gasPrice, height, quantity, receipts } from "./evm-wire.ts";
import { mapped, percent, rows, text, textOrNumber } from "../wire.ts";

/** EVM API of the node specification. Endpoints are keyed by blockchain ID, `C` for the C-Chain. */

export const rpcPath = (chain: string): string => `/ext/bc/${chain}/rpc`;
export const socketPath = (chain: string): string => `/ext/bc/${chain}/ws`;

const none = z.tuple([]);
const blockTag = z.string().describe("A height in hex, or latest.");
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "an address is 0x and 40 hex digits");

/** A method with the path of the C-Chain; other chains have their own path (`rpcPath`). */
const method = methodsAt(rpcPath("C"));

export const evmMethods = {
  blockNumber: method(
    "eth_blockNumber",
    "Height of the last accepted block; of the C-Chain since Helicon, of the last executed one.",
    none,
    height,
  ),
  block: method("eth_getBlockByNumber", "A block by height.", z.tuple([blockTag, z.boolean()]), block),
  receipts: method(
    "eth_getBlockReceipts",
    "Receipts of the transactions of a block; not every node serves it.",
    z.tuple([blockTag]),
    receipts,
    { beyond: true },
  ),
  baseFee: method(
    "eth_baseFee",
    "Base fee of the next block, in wei; of the C-Chain since Helicon an upper bound.",
    none,
    gasPrice.nullable(),
  ),
  priorityFee: method(
    "eth_maxPriorityFeePerGas",
    "Priority fee that currently gets a transaction into a block, in wei.",
    none,
    gasPrice,
  ),
  txpool: method(
    "txpool_status",
    "Number of waiting transactions; not every node serves it, since Helicon the C-Chain by default.",
    none,
    z.object({ pending: counted, queued: counted }),
  ),
  chainId: method("eth_chainId", "EVM chain ID.", none, quantity),
  networkId: method("net_version", "EVM network ID.", none, mapped(textOrNumber, String)),
  clientVersion: method("web3_clientVersion", "Version of the EVM.", none, text),
  peerCount: method("net_peerCount", "Peers as the EVM counts them.", none, counted),
  chainConfig: method("eth_getChainConfig", "The chain's configuration with its fork times.", none, forkTimes),
  balance: method("eth_getBalance", "Balance of an address, in wei.", z.tuple([address, blockTag]), balance),
  trace: method(
    "debug_traceTransaction",
    "Trace of a transaction, which the node executes again.",
    z.tuple([z.string()]),
    z.unknown(),
    { beyond: true },
  ),
  proof: method(
    "eth_getProof",
    "Proof of an account at a block, within the window of recent blocks.",
    z.tuple([address, z.array(z.string()), blockTag]),
    z.object({ accountProof: z.array(z.string()) }),
  ),
};

const chainValidator = z.object({
  validationID: z.string(),
  nodeID: z.string(),
  isActive: z.boolean().optional(),
  isConnected: z.boolean().optional(),
  /** Percent on the wire, a ratio here. */
  uptimePercentage: percent.optional(),
});
export type ChainValidator = z.infer<typeof chainValidator>;
const chainValidators = mapped(
  z.object({ validators: rows(chainValidator, ["isActive", "isConnected", "uptimePercentage"]) }),
  ({ validators: { rows: validators, ...rest } }) => ({ validators, ...rest }),
);

/** Not in the specification: validators of a Subnet-EVM chain. */
export const validatorsMethod = methodsAt("/ext/bc/<blockchainID>/validators")(
  "validators.getCurrentValidators",
  "Validators of a Subnet-EVM chain with their uptime.",
  z.object({ nodeIDs: z.array(z.string()) }),
  chainValidators,
  { beyond: true },
);

/** One call of a batch. */
export const call = <R>(method: Call<R>["method"], ...params: readonly unknown[]): Call<R> => ({ method, params });

/** A height as a hex quantity. */
export const hex = (value: number): string => `0x${value.toString(16)}`;

/** Keys of endpoints that poll every EVM chain. */
export const evmChainIds = ({ evmChains }: TargetFacts): readonly string[] => evmChains.map(({ id }) => id);
