import { z } from "zod";
import { ApiError, endpoint, type Api, type TargetFacts } from "../endpoint.ts";
import { healthMethods, healthResources } from "./health.ts";
import { jsonBlock, readHexBlock, type Block } from "./platform-block.ts";
import { platformMethod } from "./platform-method.ts";
import { platformMethods } from "./platform.ts";
import { count } from "../wire.ts";

/** P-Chain API: blocks, and the follower that reads each of them once. */

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

/** Blocks that one poll reads at most; what is beyond is skipped, and shows as a gap between two answers. */
export const MOST_BLOCKS = 50;
/** Blocks before the head that the first poll of a node reads: when another node begins to speak, none is lost. */
export const LOOK_BACK = 10;

/** A run of blocks, read once each. Heights follow one another; `to` is the last, and `from` = `to` + 1 when there is none. */
export type BlockRun = {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly Block[];
  /** Unix seconds of the block at `to`. */
  readonly time: number | undefined;
  /** Where this server tells its height, and how it encodes blocks: found out once. */
  readonly head: "rpc" | "health";
  readonly encoding: "json" | "hex";
};

type Manner = Pick<BlockRun, "head" | "encoding">;

/**
 * Follows the P-Chain from the block after the last answer's to the head of now. Cost: one request for the height, one for
 * each new block, and one more for each that decides a proposal.
 */
export const PlatformBlocks = endpoint<BlockRun>({
  id: "platform.getBlockByHeight",
  about: "Every P-Chain block, read once by its height.",
  scope: "network",
  methods: ["platform.getHeight", "platform.getBlockByHeight"],
  every: 30,
  timeout: 25,
  async ask(api, _key, facts, previous) {
    const { height, head } = await headOf(api, facts, previous?.head);
    const manner = { head, encoding: previous?.encoding ?? "json" } as const;
    if (previous?.to === height) return { ...previous, ...manner, from: height + 1, blocks: [] };
    // A head below the last one is another node's, or another chain's: its own time tells which.
    if (previous !== undefined && height < previous.to) return readRun(api, manner, height, height);
    const first = previous === undefined ? height - LOOK_BACK : Math.max(previous.to + 1, height - MOST_BLOCKS + 1);
    const run = await readRun(api, manner, Math.max(0, first), height);
    return run.blocks.length === 0 && previous !== undefined
      ? { ...previous, ...manner, from: previous.to + 1, blocks: [] }
      : run;
  },
});

/** Reads blocks one after another, up to the first that this server does not have: behind a balancer a neighbour may. */
async function readRun(api: Api, manner: Manner, from: number, to: number): Promise<BlockRun> {
  const blocks: Block[] = [];
  let { encoding } = manner;
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
  return { ...manner, encoding, from, to: from + blocks.length - 1, blocks, time: blocks.at(-1)?.time };
}

/** Hex where the server knows nothing else, and for the blocks that JSON does not tell apart. */
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
  engine: z.object({ consensus: z.object({ lastAcceptedHeight: count }) }),
});

/** The height of the last accepted block; a server of the specification's letter tells it in its health report alone. */
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
  const report =
    facts.healthTransport === "rpc" ? await api.call(healthMethods.health, {}) : await api.get(healthResources.health);
  const message = consensus.safeParse(report.checks["P"]?.message);
  if (!message.success)
    throw new ApiError({ reason: "schema", message: "checks.P.message: no height of the last accepted block" });
  return { height: message.data.engine.consensus.lastAcceptedHeight, head: "health" };
}
