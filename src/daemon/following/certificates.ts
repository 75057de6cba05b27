import { readFileSync, statSync } from "node:fs";
import { unreadable } from "../../config/read/sources.ts";
import type { CertificateFiles } from "../../config/web/load-web-config.ts";
import type { Certificates, Running } from "../../http/server/server.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";

type CertificatesOptions = {
  /** The files of the certificates in use. */
  readonly files: () => CertificateFiles;
  readonly clock: Pick<Clock, "elapsed">;
  readonly log: Log;
};

/** Seconds between two looks, however many clients connect. */
const LOOK_EVERY = 1;
const NAMES = ["cert", "key", "clientCa"] as const;

/**
 * Renews the certificates of a server whose files were replaced. It is called before each handshake and looks at the files at most
 * once a second, with calls that block: the handshake that finds a change already uses it, and for local files a look takes about
 * a tenth of a millisecond. Files that cannot be used leave the certificate that is served, and are logged once. Nothing else of the web
 * configuration is read here, because half of a file without its passwords can be valid. Never throws.
 */
export function followCertificates({
  files,
  clock,
  log,
}: CertificatesOptions): (server: Pick<Running, "renew">) => void {
  let next = -Infinity;
  let seen = "";
  return (server) => {
    if (clock.elapsed() < next) return;
    next = clock.elapsed() + LOOK_EVERY;
    const named = files();
    const now = stampOf(named);
    if (now === seen) return;
    seen = now;
    try {
      if (server.renew(contentOf(named))) log.info({ file: named.cert }, "certificate files changed: in use");
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      log.error({ why, file: named.cert }, "certificate files changed and cannot be used: the old ones stay");
    }
  };
}

/** Differs after each change of a file, and when a link leads to another one. */
function stampOf(files: CertificateFiles): string {
  return JSON.stringify(
    NAMES.map((name) => {
      const file = files[name];
      try {
        const about = file === undefined ? undefined : statSync(file, { bigint: true });
        return about === undefined ? [] : [file, ...[about.ino, about.size, about.mtimeNs, about.ctimeNs].map(String)];
      } catch (error) {
        return [file, unreadable(error)];
      }
    }),
  );
}

/** Throws a sentence that contains nothing of a file. */
function contentOf(files: CertificateFiles): Certificates {
  const pairs = NAMES.flatMap((name) => {
    const file = files[name];
    return file === undefined ? [] : [[name, textOf(file)] as const];
  });
  return Object.fromEntries(pairs);
}

function textOf(file: string): string {
  const text = read(file);
  if (!text.includes("-----BEGIN ")) throw new Error(`${file} is not PEM (it has no -----BEGIN line)`);
  return text;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read: ${unreadable(error)}`, { cause: error });
  }
}
