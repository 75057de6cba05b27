import type { HttpDependencies } from "../http/dependencies.ts";
import type { Running } from "../http/server/server.ts";
import type { WebSecurity } from "../config/web/web-schema.ts";
import type { Log } from "../runtime/events.ts";
import { systemClock } from "../runtime/clock.ts";
import { problemText } from "./configuration.ts";
import type { Daemon } from "./daemon.ts";
import { loadSettingsApart } from "./load-settings-apart.ts";
import { loadSettings, type Configured, type SettingsSource } from "./settings.ts";

export type Reloading = {
  /** Loads the settings again. If they have problems, the old ones stay and `message` lists the problems. Never rejects. */
  readonly reload: (server: Running) => ReturnType<HttpDependencies["reload"]>;
  /** The configuration in force, with its secrets masked. */
  readonly masked: () => string;
};

/** Reloads the settings of a running daemon. `first`: the configuration that it was started with. */
export function createReloading(source: SettingsSource, first: Configured, daemon: Daemon, log: Log): Reloading {
  let { masked } = first;

  const load = () =>
    loadSettingsApart(source).catch((error: unknown) => {
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      log.warn({ why }, "no worker thread for the configuration: polls wait while it is read");
      return loadSettings(source);
    });

  return {
    masked: () => masked,
    async reload(server) {
      const next = await load();
      const refused = "problems" in next ? problemText(next.problems) : secure(server, next.web);
      daemon.own.reloaded(refused === undefined, systemClock.now());
      if (refused !== undefined || "problems" in next) {
        log.error({ problem: (refused ?? "").split("\n")[0] }, "reload failed: the old configuration stays");
        return { ok: false, message: refused ?? "" };
      }
      masked = next.configured.masked;
      daemon.poller.apply(next.configured.config);
      for (const warning of next.configured.warnings) log.warn(warning, "configuration warning");
      log.info({ nodes: next.configured.config.nodes.length }, "configuration reloaded");
      return { ok: true };
    },
  };
}

/** Changes certificates, users and headers. Returns a sentence about a change that needs a restart. */
function secure(server: Running, web: WebSecurity | undefined): string | undefined {
  try {
    server.secure(web);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
