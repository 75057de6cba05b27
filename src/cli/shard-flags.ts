import { quoted } from "../config/words.ts";
import { ALONE, type Shard } from "../poller/shard/shard.ts";
import type { Flags } from "./flags.ts";
import type { System } from "../runtime/system.ts";

type Refusal = { readonly problem: string };

/** More would be fewer than one node each for the largest fleet. */
const MOST = 1_000;

/**
 * The shard that the flags make this process, or a sentence that says which of them is wrong. `--shard.index=auto` is the
 * number at the end of the host's name: a StatefulSet calls its pods name-0, name-1 and so on.
 */
export function shardOfFlags(flags: Flags, { hostname }: Pick<System, "hostname">): Shard | Refusal {
  const { "shard.index": index, "shard.total": total } = flags;
  if (index === undefined && total === undefined) return ALONE;
  const count = totalOfFlags(flags);
  if (typeof count !== "number") return count;
  if (count > 1 && flags["config.file"] === undefined) return { problem: "--shard.total needs --config.file" };
  if (index === undefined) return { problem: "--shard.total needs --shard.index" };
  const ordinal = index === "auto" ? /-(\d+)$/.exec(hostname)?.[1] : index;
  if (ordinal === undefined)
    return {
      problem: `--shard.index=auto is the number behind the last dash of the host's name, and ${quoted(hostname)} has none; give the number itself`,
    };
  if (!/^\d{1,6}$/.test(ordinal))
    return { problem: `--shard.index is a number from 0, or auto; not ${quoted(ordinal)}` };
  if (Number(ordinal) >= count)
    return {
      problem: `--shard.index is ${ordinal}${index === "auto" ? ` (host ${quoted(hostname)})` : ""}, and --shard.total=${count} leaves 0 to ${count - 1}: no node would belong to this process`,
    };
  return { index: Number(ordinal), total: count };
}

/** The number of shards that the flags name. */
export function totalOfFlags({ "shard.total": total }: Flags): number | Refusal {
  if (total === undefined) return { problem: "--shard.index needs --shard.total" };
  const count = Number(total);
  return /^\d{1,6}$/.test(total) && count >= 1 && count <= MOST
    ? count
    : { problem: `--shard.total is a number from 1 to ${MOST}, not ${quoted(total)}` };
}
