import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into the exporter's process before its own code (`node --import`): answers what only the process itself can measure.
 * Nothing of the exporter is replaced, and neither the channel nor the timer keeps the process alive.
 */

export type Inside = {
  /** Bytes of objects after two forced collections; the second one frees what finalisers released. */
  readonly objects: number;
  /** Bytes of bytecode, machine code and what V8 keeps with them: grows for hours while rare functions are compiled. */
  readonly code: number;
  /** Open things that keep the process alive, by their kind: timers, sockets. */
  readonly active: Readonly<Record<string, number>>;
};

/** Delays of a timer of ten milliseconds beyond its interval since the question before, in real milliseconds; from the first one on. */
export type Delays = { readonly p99: number; readonly longest: number };

const RESOLUTION_MS = 10;
/** Spaces of the heap without objects of the program: `trusted_space` has the bytecode. */
const CODE_SPACES = /^(shared_)?(code|trusted)_/;

function measured(collect: () => void): Inside {
  collect();
  collect();
  const active: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
  let [objects, code] = [0, 0];
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics())
    if (CODE_SPACES.test(name)) code += used;
    else objects += used;
  return { objects, code, active };
}

if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const delays = (): Delays => {
    const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const found = { p99: beyond(delay.percentile(99)), longest: beyond(delay.max) };
    delay.reset();
    // Not before: its timer takes 0.4 % of a core, which is not the exporter's.
    delay.enable();
    return found;
  };
  let collect: (() => void) | undefined;
  process.on("message", ({ id, what }: { id: number; what: "inside" | "delays" }) => {
    if (what === "delays") process.send?.({ id, answer: delays() });
    else {
      setFlagsFromString("--expose-gc");
      collect ??= runInNewContext("gc") as () => void;
      process.send?.({ id, answer: measured(collect) });
      // The collections are not the exporter's own delay.
      delay.reset();
    }
  });
  process.channel?.unref();
}
