import { z } from "zod";
import { ApiError, endpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { avaxAsset } from "./avax-asset.ts";
import { isLacking } from "./dialect.ts";
import { isRefusal } from "../reasons.ts";
import { healthReport } from "./health.ts";
import { hexBlock as encoded, jsonBlock, readHexBlock, type PlatformBlock } from "./platform-block.ts";
import { platformMethod, platformMethods } from "./platform.ts";
import { positionAfter, type Positioned } from "../position.ts";
import { height } from "../wire.ts";

/** P-Chain API: blocks. */

const encoding = z.enum(["hex", "json"]).optional();
const blockResult = z.object({ block: z.union([encoded, jsonBlock]) });

export const blockMethods = {
  getBlock: platformMethod(
    "platform.getBlock",
    "A block by its ID.",
    z.object({ blockID: z.string(), encoding }),
    blockResult,
  ),
  getBlockByHeight: platformMethod(
    "platform.getBlockByHeight",
    "A block by its height.",
    z.object({ height: z.union([z.number(), z.string()]), encoding }),
    blockResult,
  ),
};

/** Maximum number of blocks per poll; older ones are skipped and form a gap between two answers. */
export const MAX_BLOCKS = 50;
/** Blocks before the head in the first poll of a node: a change of the reference node skips no block. */
export const LOOKBACK_BLOCKS = 10;

/** Consecutive blocks from `from` to `to`; `from` = `to` + 1 if there is none. */
export type BlockRun = Positioned & {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly PlatformBlock[];
  /** Unix seconds of the block at `to`. */
  readonly time: number | undefined;
  /** Asset ID of AVAX, if known; read once. */
  readonly asset?: string | undefined;
  /** Source of the height, and encoding of blocks on this server: detected once. */
  readonly head: "rpc" | "health" | "search";
  readonly encoding: "json" | "hex";
};

type ReadMode = Pick<BlockRun, "head" | "encoding" | "asset">;
type ReadBlock = Pick<BlockRun, "encoding"> & { readonly block: PlatformBlock };

/**
 * Reads the blocks after those of the previous answer. Cost: one request for the height, one for each new block, and one more for
 * each commit or abort.
 */
export const PlatformBlocks = endpoint<BlockRun>({
  id: "platform.getBlockByHeight",
  about: "Every P-Chain block, read once by its height.",
  scope: "network",
  methods: ["platform.getHeight", "platform.getBlockByHeight"],
  every: 30,
  timeout: 25,
  follows: true,
  async ask(api, _key, facts, previous) {
    const run = await readAfter(api, facts, previous);
    return {
      ...run,
      ...positionAfter(previous?.position, { height: run.to, time: run.time }, api.now?.() ?? Infinity),
    };
  },
});

type Run = Omit<BlockRun, keyof Positioned>;

async function readAfter(api: Api, facts: TargetFacts, previous: BlockRun | undefined): Promise<Run> {
  const { height, head } = await headOf(api, facts, previous);
  const asset = previous?.asset ?? (await avaxAsset(api, facts));
  const mode = { head, encoding: previous?.encoding ?? "json", asset } as const;
  if (previous?.to === height) return { ...previous, ...mode, from: height + 1, blocks: [] };
  // A lower head belongs to another node or another chain: the time of its block shows which.
  if (previous !== undefined && height < previous.to) return readRun(api, mode, height, height);
  const first = previous === undefined ? height - LOOKBACK_BLOCKS : Math.max(previous.to + 1, height - MAX_BLOCKS + 1);
  const run = await readRun(api, mode, Math.max(0, first), height);
  return run.blocks.length === 0 && previous !== undefined
    ? { ...previous, ...mode, from: previous.to + 1, blocks: [] }
    : run;
}

/** Reads blocks up to the first that the server lacks: servers behind a load balancer differ in their height. */
async function readRun(api: Api, mode: ReadMode, from: number, to: number): Promise<Run> {
  const blocks: PlatformBlock[] = [];
  let { encoding } = mode;
  for (let height = from; height <= to; height++) {
    const read = await readBlock(api, height, encoding).catch((error: unknown) => {
      if (height === from && from === to) throw error;
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (read === undefined) break;
    encoding = read.encoding;
    blocks.push(read.block);
  }
  return { ...mode, encoding, from, to: from + blocks.length - 1, blocks, time: blocks.at(-1)?.time };
}

/** Reads a block, in hex if the server has no JSON or if the kind is not clear from JSON. */
async function readBlock(api: Api, height: number, encoding: ReadBlock["encoding"]): Promise<ReadBlock> {
  if (encoding === "hex") return { block: await hexBlock(api, height), encoding };
  const answer = await api.call(blockMethods.getBlockByHeight, { height, encoding }).catch((error: unknown) => {
    if (error instanceof ApiError && /encoding|unmarshal/i.test(error.failure.rpcMessage ?? "")) return undefined;
    throw error;
  });
  if (answer === undefined) return { block: await hexBlock(api, height), encoding: "hex" };
  if (typeof answer.block === "string") return { block: decoded(answer.block, height), encoding: "hex" };
  if (answer.block.kind !== "unknown") return { block: answer.block, encoding };
  return { block: { ...(await hexBlock(api, height)), time: answer.block.time }, encoding };
}

async function hexBlock(api: Api, height: number): Promise<PlatformBlock> {
  const { block } = await api.call(blockMethods.getBlockByHeight, { height, encoding: "hex" });
  return typeof block === "string" ? decoded(block, height) : block;
}

function decoded(text: string, height: number): PlatformBlock {
  return readHexBlock(text, height) ?? { height, kind: "unknown", time: undefined, transactions: [] };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && /not found/i.test(error.failure.rpcMessage ?? "");
}

const consensus = z.object({ engine: z.object({ consensus: z.object({ lastAcceptedHeight: height }) }) });

type Head = { readonly height: number; readonly head: BlockRun["head"] };

const HEADS = ["rpc", "health", "search"] as const;

/** Height of the last accepted block. A server of the specification has it in its health report, or only as its last block. */
async function headOf(api: Api, facts: TargetFacts, previous: BlockRun | undefined): Promise<Head> {
  const heights = {
    rpc: async () => (await api.call(platformMethods.getHeight, {})).height,
    health: () => headOfHealth(api, facts),
    search: () => lastBlock(api, previous?.to ?? 0),
  };
  let refused: unknown;
  for (const head of HEADS.slice(HEADS.indexOf(previous?.head ?? "rpc"))) {
    try {
      return { head, height: await heights[head]() };
    } catch (error) {
      if (!isLacking(error, previous === undefined)) throw refused ?? error;
      refused ??= error;
    }
  }
  throw refused;
}

/** The ID of the P-Chain on every network: the specification has one check per chain, and leaves open how it is named. */
const CHECKS = ["P", "11111111111111111111111111111111LpoYY"];

async function headOfHealth(api: Api, facts: TargetFacts): Promise<number> {
  const { checks } = await healthReport(api, "health", facts);
  for (const name of CHECKS) {
    const message = consensus.safeParse(checks[name]?.message);
    if (message.success) return message.data.engine.consensus.lastAcceptedHeight;
  }
  throw new ApiError({ reason: "unsupported", message: "checks.P.message: no height of the last accepted block" });
}

/** Searches the last block from a known one on, in steps that double: some 50 requests at first, then one for each poll. */
async function lastBlock(api: Api, known: number): Promise<number> {
  const exists = async (height: number): Promise<boolean> => {
    try {
      await api.call(blockMethods.getBlockByHeight, { height, encoding: "hex" });
      return true;
    } catch (error) {
      // The error for a block that does not exist has no form in the specification.
      if (error instanceof ApiError && isRefusal(error.failure)) return false;
      throw error;
    }
  };
  let [low, step] = [known, 1];
  for (; Number.isSafeInteger(low + step) && (await exists(low + step)); step *= 2) low += step;
  // A chain that was restarted from genesis lacks the known block.
  if (low === known && known > 0 && !(await exists(known))) return lastBlock(api, 0);
  let high = low + step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await exists(middle)) low = middle;
    else high = middle;
  }
  return low;
}
