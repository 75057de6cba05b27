import { readRegularFile, unreadable } from "../../config/read/sources.ts";
import type { CertificateFiles } from "../../config/web/load-web-config.ts";
import type { Certificates, Running } from "../../http/server/start-server.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { wordsOf } from "../storage/open-kept-file.ts";

type CertificatesOptions = {
  /** The files of the certificates in use. */
  readonly files: () => CertificateFiles;
  readonly clock: Pick<Clock, "elapsed">;
  readonly log: Log;
};

/** Seconds between two looks, however many clients connect. */
const LOOK_EVERY = 1;

/**
 * Renews the certificates of a server whose files were replaced. It is called before each handshake and looks at the files at most
 * once a second, with calls that block: the handshake that finds a change already uses it, and for local files a look takes some
 * tenths of a millisecond. Files that cannot be used leave the certificate that is served, and are logged once. Nothing else of the web
 * configuration is read here, because half of a file without its passwords can be valid. Never throws.
 */
export function followCertificates({
  files,
  clock,
  log,
}: CertificatesOptions): (server: Pick<Running, "renew">) => void {
  let next = -Infinity;
  /** Why the files could not be used at the last look. */
  let fault = "";
  return (server) => {
    if (clock.elapsed() < next) return;
    next = clock.elapsed() + LOOK_EVERY;
    const named = files();
    const before = fault;
    try {
      fault = "";
      if (server.renew(contentOf(named))) log.info({ file: named.cert }, "certificate files changed: in use");
    } catch (error) {
      fault = wordsOf(error);
      if (fault !== before)
        log.error({ why: fault, file: named.cert }, "certificate files changed and cannot be used: the old ones stay");
    }
  };
}

const contentOf = (files: CertificateFiles): Certificates =>
  Object.fromEntries(Object.entries<string>(files).map(([name, file]) => [name, textOf(file)]));

/** Throws a sentence that contains nothing of the file. A context of TLS accepts authorities that are none. */
function textOf(file: string): string {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${unreadable(error)}`, { cause: error });
  }
  if (text.includes("-----BEGIN ")) return text;
  throw new Error(`${file} is not PEM (it has no -----BEGIN line)`);
}
