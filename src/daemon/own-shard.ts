import { quoted } from "../config/base/error-texts.ts";
import { ALONE, type Shard } from "./shard/shard.ts";
import type { System } from "./system.ts";

/** The flags that determine the shard of a process. */
export type ShardFlags = {
  readonly "shard.index"?: string;
  readonly "shard.total"?: number;
  readonly "config.file"?: string;
};

/**
 * The shard of this process, or a sentence about the wrong flag. `--shard.index=auto` is the number at the end of the host name:
 * a StatefulSet names its pods name-0, name-1 and so on.
 */
export function ownShard(
  { "shard.index": index, "shard.total": total, "config.file": file }: ShardFlags,
  { hostname }: Pick<System, "hostname">,
): Shard | { readonly problem: string } {
  if (index === undefined && total === undefined) return ALONE;
  if (index === undefined || total === undefined)
    return { problem: "--shard.index and --shard.total require each other" };
  if (total > 1 && file === undefined) return { problem: "--shard.total requires --config.file" };
  const ordinal = index === "auto" ? /-(\d+)$/.exec(hostname)?.[1] : index;
  if (ordinal === undefined || !/^\d{1,6}$/.test(ordinal) || Number(ordinal) >= total) {
    const from = index === "auto" ? `the number at the end of the host name ${quoted(hostname)}` : quoted(index);
    return { problem: `--shard.index: ${from} is not a number from 0 to ${total - 1}` };
  }
  return { index: Number(ordinal), total };
}
