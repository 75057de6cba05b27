import { dirname, isAbsolute, join } from "node:path";
import { parseTree } from "../check/parse-tree.ts";
import type { ConfigProblem, Result } from "../base/problem.ts";
import { readYamlFile } from "../read/read-yaml.ts";
import type { Sources } from "../read/sources.ts";
import { complain, newFindings, trusted, valueAt, warn } from "../base/tree.ts";
import { webSchema, type TlsSettings, type WebSecurity } from "./web-schema.ts";

export type LoadedWeb = {
  readonly web: WebSecurity;
  readonly certificates: CertificateFiles;
  /** Settings that are valid and have no effect. */
  readonly warnings: readonly ConfigProblem[];
};

/** The files of a server's TLS; absent for what is written inline. */
export type CertificateFiles = Readonly<Partial<Record<keyof typeof FILES, string>>>;

const HTTP2 = ["http_server_config", "http2"];
const FILES = { cert: "cert_file", key: "key_file", clientCa: "client_ca_file" } as const;

/**
 * Reads a web configuration file and the certificates that it names. The result lists all problems; file content never causes an
 * exception.
 * @param tlsFault why a certificate cannot be used, such as a key of another one
 */
export function loadWebConfig(
  path: string,
  sources: Sources,
  tlsFault: (tls: TlsSettings) => string | undefined = () => undefined,
): Result<LoadedWeb> {
  const findings = newFindings();
  const main = readYamlFile(path, sources, findings);
  if (main !== undefined) findings.source = main.source;
  const value = main?.value ?? {};
  const web = parseTree(webSchema, value, sources, findings);
  const fault = web?.tls && tlsFault(web.tls);
  if (fault !== undefined) complain(findings, ["tls_server_config"], `tls_server_config: ${fault}`);
  if (web === undefined || fault !== undefined) return { ok: false, problems: trusted(findings) };
  if (valueAt(value, HTTP2) === true)
    warn(findings, HTTP2, "http2 has no effect: the server supports HTTP/1.1 alone, which every scraper can use");
  return { ok: true, loaded: { web, certificates: certificateFiles(value, path), warnings: findings.warnings } };
}

function certificateFiles(value: unknown, path: string): CertificateFiles {
  const named = Object.entries(FILES).flatMap(([name, key]) => {
    const file = valueAt(value, ["tls_server_config", key]);
    return typeof file === "string" ? [[name, isAbsolute(file) ? file : join(dirname(path), file)]] : [];
  });
  return Object.fromEntries(named) as CertificateFiles;
}
