import type { Shard } from "../shard/shard.ts";
import { lockFolder } from "./lock-folder.ts";
import { openStorage, type Storage } from "./storage.ts";
import { systemClock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

/** In the working directory, as Prometheus has it: a restart during an outage must forget nothing, also where nobody set a flag. */
const DEFAULT_FOLDER = "data";

/** What outlives this process, and where. */
type Kept = {
  /** `undefined` where nothing is kept. */
  readonly storage: Storage | undefined;
  readonly folder: string | undefined;
  /** Another exporter has the directory. */
  readonly isLocked: boolean;
  /** Gives the directory free. */
  readonly release: () => void;
};

type KeptOptions = {
  readonly shard: Shard;
  /** Who this exporter is, for another one that wants the directory. */
  readonly self: string;
  readonly log: Log;
};

/**
 * Opens the directory of `--storage.path`, or the default one: an empty value is none. A default that cannot be written is logged
 * and ends nothing, because nobody asked for it; a given one is a problem, in a sentence.
 */
export async function keptMemory(
  given: string | undefined,
  { shard, self, log }: KeptOptions,
): Promise<Kept | { readonly problem: string }> {
  const folder = given ?? DEFAULT_FOLDER;
  const nothing: Kept = { storage: undefined, folder: undefined, isLocked: false, release: () => undefined };
  if (folder === "") return nothing;
  const { other, release } = await lockFolder(folder, shard, self);
  if (other !== undefined) {
    log.error({ folder, other }, "another exporter uses the directory of --storage.path: going on without it");
    return { ...nothing, folder, isLocked: true, release };
  }
  const storage = openStorage({ folder, shard, clock: systemClock, log });
  if (!("problem" in storage)) return { storage, folder, isLocked: false, release };
  release();
  if (given !== undefined) return { problem: storage.problem };
  const why = storage.fault;
  log.warn({ folder, why }, "nothing is kept: identities and outages are forgotten at a restart; set --storage.path");
  return nothing;
}
