import { dirname, isAbsolute, join } from "node:path";
import { parseTree } from "../check/parse-tree.ts";
import type { ConfigProblem, Result } from "../base/config-problem.ts";
import { readYamlFile } from "../read/read-yaml-file.ts";
import type { Sources } from "../read/sources.ts";
import { reported, treeOf, warning } from "../base/config-finding.ts";
import { valueAt } from "../base/value-at.ts";
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
const WITHOUT_HTTP2 = "http2 has no effect: the server supports HTTP/1.1 alone, which every scraper can use";
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
  const tree = treeOf(readYamlFile(path, sources));
  const { parsed: web, ofSchema, ofFiles } = parseTree(webSchema, tree, sources);
  const isUsable = reported(tree, [ofSchema, ofFiles]).problems.length === 0;
  const fault = isUsable && web?.tls ? tlsFault(web.tls) : undefined;
  const ofTls = fault === undefined ? [] : [{ path: ["tls_server_config"], message: `tls_server_config: ${fault}` }];
  const ofHttp2 = valueAt(tree.value, HTTP2) === true ? [warning(HTTP2, WITHOUT_HTTP2)] : [];
  const { problems, warnings } = reported(tree, [ofSchema, ofFiles, ofTls, ofHttp2]);
  if (web === undefined || problems.length > 0) return { ok: false, problems };
  return { ok: true, loaded: { web, certificates: certificateFiles(tree.value, path), warnings } };
}

function certificateFiles(value: unknown, path: string): CertificateFiles {
  const named = Object.entries(FILES).flatMap(([name, key]) => {
    const file = valueAt(value, ["tls_server_config", key]);
    return typeof file === "string" ? [[name, isAbsolute(file) ? file : join(dirname(path), file)]] : [];
  });
  return Object.fromEntries(named) as CertificateFiles;
}
