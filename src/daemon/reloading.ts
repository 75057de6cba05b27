import type { ReloadResult } from "../http/http-dependencies.ts";
import type { Running } from "../http/server/start-server.ts";
import { placesOf, type Read } from "../config/read/recorded-sources.ts";
import type { WebSecurity } from "../config/web/web-schema.ts";
import type { Log } from "../runtime/log.ts";
import type { Daemon } from "./daemon.ts";
import { nodeSources } from "../config/read/sources.ts";
import { wordsOf } from "./storage/open-kept-file.ts";
import { loadAhead } from "./following/read-again.ts";
import { loadSettings, type SettingsFiles, type SettingsSource } from "./load-settings.ts";
import { problemText } from "../config/base/config-problem.ts";

/** Who wants a reload: a person or a program that asks for it, or the exporter itself because files changed. */
export type ReloadCause = "request" | "files";

export type Reloading = {
  /** The configuration in force, with its secrets masked. */
  masked: () => string;
  /** What the last load read, whether it succeeded or not. */
  reads: () => Readonly<Record<string, Read>>;
  /** Files of the certificates in force. */
  certificates: () => Readonly<Partial<Record<"cert" | "clientCa" | "key", string>>>;
  /** Loads the settings again. If they have problems, the old ones stay and `message` lists the problems. Never rejects. */
  reload: (server: Pick<Running, "secure">, cause?: ReloadCause) => Promise<ReloadResult>;
};

/** Reloads the settings of a running daemon. `first`: the settings that it was started with. */
export function createReloading(
  source: SettingsSource,
  first: SettingsFiles,
  daemon: Pick<Daemon, "reloaded"> & { readonly poller: Pick<Daemon["poller"], "apply"> },
  log: Log,
  unreachable?: (paths: readonly string[]) => Promise<string | undefined>,
): Reloading {
  /** The settings in force, and what the last load read. */
  let current = first;
  let { reads } = first;

  function failed(message: string): ReloadResult {
    daemon.reloaded(false);
    log.error({ problem: message.split("\n")[0] }, "reload failed: the old configuration stays");
    return { ok: false, message };
  }

  // Polls and scrapes wait while it is read: a thousand nodes take some 0.4 s.
  const reload = async (server: Pick<Running, "secure">, cause: ReloadCause = "request"): Promise<ReloadResult> => {
    const found = await loadAhead(
      (sources) => loadSettings(source, sources),
      nodeSources(source.env),
      placesOf(reads),
      unreachable,
    );
    if ("hung" in found) return failed(`${found.hung} cannot be read: its file system does not answer`);
    const next = found.loaded;
    ({ reads } = next);
    if ("problems" in next) return failed(problemText(next.problems));
    const gone = lostGuards(current.web, next.web);
    if (gone !== undefined && cause === "files")
      return failed(`${gone} are gone from the web configuration: send SIGHUP or POST /-/reload if that is intended`);
    try {
      server.secure(next.web);
    } catch (error) {
      // A change that needs a restart.
      return failed(wordsOf(error));
    }
    daemon.reloaded(true);
    if (gone !== undefined)
      log.warn(
        { gone },
        "the login is gone from the web configuration: the pages are open to everyone who reaches them",
      );
    current = next;
    daemon.poller.apply(next.configured.config);
    for (const warning of next.configured.warnings) log.warn(warning, "configuration warning");
    log.info({ nodes: next.configured.config.nodes.length }, "configuration reloaded");
    return { ok: true };
  };

  return {
    masked: () => current.configured.masked(),
    reads: () => reads,
    certificates: () => current.certificates,
    reload,
  };
}

/**
 * The guards of the pages that a change removes. Without a request it must not be followed: an empty or half-written web configuration
 * is valid, and would open the pages to everyone.
 */
function lostGuards(before: WebSecurity | undefined, after: WebSecurity | undefined): string | undefined {
  const guards = (web: WebSecurity | undefined): readonly string[] => [
    ...(Object.keys(web?.users ?? {}).length > 0 ? ["basic_auth_users"] : []),
    ...(web?.tls?.clientAllowedSans === undefined ? [] : ["client_allowed_sans"]),
  ];
  const gone = guards(before).filter((name) => !guards(after).includes(name));
  return gone.length === 0 ? undefined : gone.join(", ");
}
