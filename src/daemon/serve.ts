import type { About, HttpDependencies } from "../http/http-dependencies.ts";
import { startServer, type Running, type ServerOptions } from "../http/server/start-server.ts";
import { setTimeout as after } from "node:timers/promises";
import type { Log } from "../runtime/log.ts";
import { everySecond } from "./every-second.ts";
import type { Daemon } from "./daemon.ts";
import { ownCommand } from "./own-command.ts";
import type { ReloadCause, Reloading } from "./reloading.ts";
import type { System } from "./system.ts";
import { REVISION, VERSION } from "./version.ts";

export type Served = Omit<ServerOptions, "hostname" | "limits"> &
  Pick<HttpDependencies, "badges" | "calendarToken" | "inspection" | "maskedConfig"> &
  Pick<About, "dashboards" | "alertmanager" | "configFile" | "note"> & {
    /** Path of the metrics; `/metrics` when left out. */
    readonly telemetryPath?: string | undefined;
    readonly reload: Reloading["reload"];
    /** Starts to follow the files of the configuration; returns a function that stops. */
    readonly follow?: ((reload: () => Promise<unknown>) => () => void) | undefined;
    readonly onListening: (server: Running) => void;
    /** Called once every endpoint has been polled. */
    readonly onComplete: () => void;
  };

/** After this time an end waits no longer for a reload. */
const LONGEST_RELOAD_MS = 3_000;

const STOPPED = { ok: false, message: "the exporter stops" } as const;

/** The least time between two reloads, of which each stops the event loop for as long as it reads. */
const RELOAD_PAUSE_MS = 1_000;

type Reload<A> = (cause?: ReloadCause) => Promise<A>;
type Reloads<A> = {
  readonly reload: Reload<A>;
  /** Starts no other, and resolves when the running one has ended. */
  readonly end: () => Promise<void>;
};

/**
 * Runs reloads one after the other, so that the last one counts. Those that are wanted meanwhile are one: thirty clients get its
 * result for the work of one. It is caused by a request if one of them is.
 * @param stopped the result of those that the end of the process cuts off
 */
export function oneAtATime<A>(run: Reload<A>, stopped: A, pauseMs = RELOAD_PAUSE_MS): Reloads<A> {
  /** The reload that is running, or was the last one; then the pause after it. */
  let work: Promise<unknown> = Promise.resolve();
  let free = work;
  /** The reload that is wanted, and waits. */
  let next: { readonly done: Promise<A>; cause: ReloadCause } | undefined;
  /** Whether the process ends. */
  let over = false;

  function start(): Promise<A> {
    const cause = next?.cause;
    next = undefined;
    if (over) return Promise.resolve(stopped);
    const done = run(cause);
    work = done.catch(() => undefined);
    free = work.then(() => after(pauseMs, undefined, { ref: false }));
    return done;
  }

  return {
    reload(cause = "request") {
      next ??= { cause, done: free.then(start) };
      if (cause === "request") next.cause = cause;
      return next.done;
    },
    async end() {
      over = true;
      await work;
    },
  };
}

/**
 * Serves a daemon and drives its polls until SIGINT or SIGTERM. Resolves to false when the port cannot be opened or a login is
 * missing, after printing the error to standard error.
 */
export async function serve(daemon: Daemon, system: System, log: Log, served: Served): Promise<boolean> {
  const { poller } = daemon;
  let complete = false;
  let server: Running;
  const { reload, end } = oneAtATime((cause?: ReloadCause) => served.reload(server, cause), STOPPED);
  try {
    server = await startServer(
      { ...served, hostname: system.hostname },
      {
        ...daemon,
        ...served,
        status: poller.status,
        unknown: poller.unknown,
        diagnosis: daemon.doctor.diagnosis,
        ready: () => ({
          ready: complete,
          why: complete ? "every endpoint has been polled" : "the first round of polls is not complete",
        }),
        reload: () => reload(),
        about: {
          version: VERSION,
          revision: REVISION,
          telemetryPath: served.telemetryPath ?? "/metrics",
          dashboards: served.dashboards,
          alertmanager: served.alertmanager,
          command: ownCommand(system),
          configFile: served.configFile,
          note: served.note,
        },
        log: {
          warn: (data, message) => log.warn(data, message),
          error(data, message) {
            log.error(data, message);
            daemon.own.events.defect("page", message);
          },
        },
      },
    );
  } catch (error) {
    system.err(`${error instanceof Error ? error.message : String(error)}\n`);
    await poller.close();
    return false;
  }
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  system.onSignal("SIGINT", () => stop(undefined));
  system.onSignal("SIGTERM", () => stop(undefined));
  system.onSignal("SIGHUP", () => void reload());
  const scheduler = everySecond(poller.tick, log);
  const unfollow = served.follow?.(() => reload("files"));
  served.onListening(server);
  void poller.firstRound().then(() => {
    complete = true;
    served.onComplete();
  });
  await stopped;
  scheduler.stop();
  unfollow?.();
  // No configuration must be applied to a closed poller.
  await Promise.race([end(), after(LONGEST_RELOAD_MS, undefined, { ref: false })]);
  await Promise.all([server.close(), poller.close()]);
  return true;
}
