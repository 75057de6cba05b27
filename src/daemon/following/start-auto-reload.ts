import { differences, type Reads } from "../../config/read/recorded-sources.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

type AutoReloadOptions = {
  /** Seconds between two looks at the files. */
  readonly interval: number;
  /** What the last load read, whether it succeeded or not. */
  readonly reads: () => Reads;
  readonly readAgain: (reads: Reads) => Promise<Reads>;
  /** Loads the settings again; must not reject. */
  readonly reload: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
};

/** File names in one line of the log. */
const MOST_NAMES = 5;

/**
 * Reloads when the content of a file of the configuration differs from what the last load read. The change is loaded when the
 * next look finds the same content: an editor or `cp` writes in pieces, and a file that vanished can come back. After a reload that
 * failed, the same content is not loaded again. Returns a function that stops.
 *
 * Polls content, because notifications of the kernel (inotify) do not arrive from network and overlay file systems, follow a path
 * and not a name, and end when the link of a ConfigMap is swapped.
 */
export function startAutoReload(options: AutoReloadOptions): () => void {
  const { interval, reads, readAgain, reload, clock, log } = options;
  let stopped = false;
  let cancel = (): void => undefined;
  /** Content that differs from the loaded one, at the last look. */
  let changed: Reads | undefined;

  async function look(): Promise<void> {
    const loaded = reads();
    const now = await readAgain(loaded);
    const names = differences(loaded, now);
    const isSettled = changed !== undefined && differences(changed, now).length === 0;
    changed = names.length === 0 || isSettled ? undefined : now;
    if (names.length === 0 || !isSettled || stopped) return;
    log.info({ files: names.slice(0, MOST_NAMES).join(" "), count: names.length }, "configuration files changed");
    await reload();
  }

  function schedule(): void {
    if (stopped) return;
    cancel = clock.after(interval, () => {
      void look()
        .catch((error: unknown) => log.error({ err: error }, "configuration files cannot be compared"))
        .then(schedule);
    });
  }

  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}
