import type { TlsSettings, WebSecurity } from "../../http/server/web-security.ts";
import { describeIssues, expectation } from "../check/describe-issue.ts";
import { trusted, type Result } from "../load-config.ts";
import type { Problem } from "../problem.ts";
import { readNamedFiles, type NamedFiles } from "../read/read-named-files.ts";
import { readYamlFile } from "../read/read-yaml.ts";
import { webSchema, type WebInput } from "./web-schema.ts";
import type { Sources } from "../read/sources.ts";
import { inOrder, newFindings, pathKey } from "../tree.ts";

export type LoadedWeb = {
  readonly web: WebSecurity;
  /** Every file read: certificates are renewed by replacing them. */
  readonly files: readonly string[];
  readonly warnings: readonly Problem[];
};

/** Reads a web configuration file and the certificates that it names; every problem at once, never an exception. */
export function loadWebConfig(path: string, sources: Sources): Result<LoadedWeb> {
  const findings = newFindings();
  const value = readYamlFile(path, [], sources, findings) ?? {};
  const parsed = webSchema.safeParse(value, { error: expectation });
  if (!parsed.success) describeIssues(parsed.error.issues, { schema: webSchema, value, findings });
  const named = readNamedFiles(webSchema, value, sources, findings);
  if (!parsed.success || findings.problems.length > 0) return { ok: false, problems: trusted(findings) };
  const files = [...new Set(findings.files)];
  return {
    ok: true,
    loaded: { web: buildWeb(parsed.data, named), files, warnings: inOrder(findings.warnings, files) },
  };
}

function buildWeb(input: WebInput, files: NamedFiles): WebSecurity {
  const headers = Object.entries(input.http_server_config?.headers ?? {});
  return {
    ...(input.tls_server_config === null || input.tls_server_config === undefined
      ? {}
      : { tls: buildTls(input.tls_server_config, files) }),
    users: { ...input.basic_auth_users },
    headers: Object.fromEntries(headers.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

const OPENSSL_VERSION = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;

function buildTls(input: NonNullable<WebInput["tls_server_config"]>, files: NamedFiles): TlsSettings {
  const content = (key: string) => files.get(pathKey(["tls_server_config", key]));
  return {
    cert: content("cert_file") ?? "",
    key: content("key_file") ?? "",
    clientCa: content("client_ca_file"),
    clientAuth: input.client_auth_type,
    clientAllowedSans: input.client_allowed_sans ?? undefined,
    minVersion: OPENSSL_VERSION[input.min_version],
    maxVersion: OPENSSL_VERSION[input.max_version],
    ciphers: input.cipher_suites ?? undefined,
    preferServerCiphers: input.prefer_server_cipher_suites,
    curves: input.curve_preferences ?? undefined,
  };
}
