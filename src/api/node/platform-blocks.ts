import { z } from "zod";
import { ApiError, endpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { healthReport } from "./health.ts";
import { jsonBlock, readHexBlock, type Block } from "./platform-block.ts";
import { platformMethod, platformMethods } from "./platform.ts";
import { height } from "../wire.ts";

/** P-Chain API: blocks. */

const encoding = z.enum(["hex", "json"]).optional();
const blockResult = z.object({ block: z.union([z.string(), jsonBlock]) });

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
export type BlockRun = {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly Block[];
  /** Unix seconds of the block at `to`. */
  readonly time: number | undefined;
  /** Source of the height, and encoding of blocks on this server: detected once. */
  readonly head: "rpc" | "health";
  readonly encoding: "json" | "hex";
};

type ReadMode = Pick<BlockRun, "head" | "encoding">;

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
    const { height, head } = await headOf(api, facts, previous?.head);
    const mode = { head, encoding: previous?.encoding ?? "json" } as const;
    if (previous?.to === height) return { ...previous, ...mode, from: height + 1, blocks: [] };
    // A lower head belongs to another node or another chain: the time of its block shows which.
    if (previous !== undefined && height < previous.to) return readRun(api, mode, height, height);
    const first =
      previous === undefined ? height - LOOKBACK_BLOCKS : Math.max(previous.to + 1, height - MAX_BLOCKS + 1);
    const run = await readRun(api, mode, Math.max(0, first), height);
    return run.blocks.length === 0 && previous !== undefined
      ? { ...previous, ...mode, from: previous.to + 1, blocks: [] }
      : run;
  },
});

/** Reads blocks up to the first that the server lacks: servers behind a load balancer differ in their height. */
async function readRun(api: Api, mode: ReadMode, from: number, to: number): Promise<BlockRun> {
  const blocks: Block[] = [];
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
async function readBlock(
  api: Api,
  height: number,
  encoding: BlockRun["encoding"],
): Promise<{ readonly block: Block; readonly encoding: BlockRun["encoding"] }> {
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

async function hexBlock(api: Api, height: number): Promise<Block> {
  const { block } = await api.call(blockMethods.getBlockByHeight, { height, encoding: "hex" });
  return typeof block === "string" ? decoded(block, height) : block;
}

function decoded(text: string, height: number): Block {
  return readHexBlock(text, height) ?? { height, kind: "unknown", time: undefined, transactions: [] };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && /not found/i.test(error.failure.rpcMessage ?? "");
}

const consensus = z.object({
  engine: z.object({ consensus: z.object({ lastAcceptedHeight: height }) }),
});

/** Height of the last accepted block. A server of the specification has it only in its health report. */
async function headOf(
  api: Api,
  facts: TargetFacts,
  known: BlockRun["head"] | undefined,
): Promise<{ readonly height: number; readonly head: BlockRun["head"] }> {
  if (known !== "health") {
    try {
      return { height: (await api.call(platformMethods.getHeight, {})).height, head: "rpc" };
    } catch (error) {
      if (!(error instanceof ApiError && error.failure.reason === "unsupported")) throw error;
    }
  }
  const { checks } = await healthReport(api, "health", facts);
  const message = consensus.safeParse(checks["P"]?.message);
  if (!message.success)
    throw new ApiError({ reason: "schema", message: "checks.P.message: no height of the last accepted block" });
  return { height: message.data.engine.consensus.lastAcceptedHeight, head: "health" };
}
