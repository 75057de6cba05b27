import type { HttpDependencies } from "../http/dependencies.ts";
import { startServer, type Running, type ServerOptions } from "../http/server/server.ts";
import type { Log } from "../runtime/events.ts";
import { everySecond } from "./scheduler.ts";
import type { Daemon } from "./daemon.ts";
import type { ReloadCause, Reloading } from "./reloading.ts";
import type { System } from "./system.ts";
import { REVISION, VERSION } from "./version.ts";

export type Served = Omit<ServerOptions, "hostname" | "limits"> &
  Pick<HttpDependencies, "badges" | "inspection" | "maskedConfig"> & {
    /** Path of the metrics; `/metrics` when left out. */
    readonly telemetryPath?: string | undefined;
    readonly reload: Reloading["reload"];
    /** Starts to follow the files of the configuration; returns a function that stops. */
    readonly follow?: ((reload: () => Promise<unknown>) => () => void) | undefined;
    readonly onListening: (server: Running) => void;
    /** Called once every endpoint has been polled. */
    readonly onComplete: () => void;
  };

/**
 * Serves a daemon and drives its polls until SIGINT or SIGTERM. Resolves to false when the port cannot be opened or a login is
 * missing, after printing the error to standard error.
 */
export async function serve(daemon: Daemon, system: System, log: Log, served: Served): Promise<boolean> {
  const { poller } = daemon;
  let complete = false;
  let server: Running;
  let reloading: ReturnType<Served["reload"]> | undefined;
  /** Reloads run one after the other, so that the last one counts. */
  const reload = (cause?: ReloadCause): ReturnType<Served["reload"]> =>
    (reloading = (reloading ?? Promise.resolve()).then(() => served.reload(server, cause)));
  try {
    server = await startServer(
      { ...served, hostname: system.hostname },
      {
        ...daemon,
        ...served,
        status: poller.status,
        diagnosis: daemon.doctor.diagnosis,
        ready: () => ({
          ready: complete,
          why: complete ? "every endpoint has been polled" : "the first round of polls is not complete",
        }),
        reload: () => reload(),
        about: { version: VERSION, revision: REVISION, telemetryPath: served.telemetryPath ?? "/metrics" },
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
  poller.tick();
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
  await reloading;
  await Promise.all([server.close(), poller.close()]);
  return true;
}
