import { describeIssues, expectation } from "./describe-issue.ts";
import { trusted, type Result } from "./load-config.ts";
import type { Problem } from "./problem.ts";
import { readNamedFiles, type NamedFiles } from "./read-named-files.ts";
import { readYamlFile } from "./read-yaml.ts";
import { CIPHERS, CURVES, webSchema, type WebInput } from "./schema/web-schema.ts";
import type { Sources } from "./sources.ts";
import { inOrder, newFindings, pathKey } from "./tree.ts";

/** How the exporter serves its own pages, in the words of node:tls. */
export type WebConfig = {
  /** Plain HTTP when left out. */
  readonly tls?: WebTls | undefined;
  /** Users and the bcrypt hashes of their passwords; empty: nobody is asked. */
  readonly basicAuthUsers: Readonly<Record<string, string>>;
  readonly http2: boolean;
  /** Added to every response. */
  readonly headers: Readonly<Record<string, string>>;
};

export type WebTls = {
  /** PEM */
  readonly cert: string;
  /** PEM */
  readonly key: string;
  /** PEM */
  readonly ca?: string | undefined;
  /** Ask clients for a certificate. */
  readonly requestCert: boolean;
  /** Refuse clients that send none. */
  readonly requireCert: boolean;
  /** Refuse certificates that `ca` did not sign. */
  readonly verifyCert: boolean;
  /** A client certificate must carry one of these names; empty: any name. */
  readonly allowedSans: readonly string[];
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  readonly maxVersion: "TLSv1.2" | "TLSv1.3";
  /** OpenSSL's names, joined by colons. */
  readonly ciphers?: string | undefined;
  readonly honorCipherOrder: boolean;
  /** OpenSSL's names, joined by colons. */
  readonly ecdhCurve?: string | undefined;
};

export type LoadedWeb = {
  readonly web: WebConfig;
  /** Every file read: certificates are renewed by replacing them. */
  readonly files: readonly string[];
  readonly warnings: readonly Problem[];
};

/** What holds without a web configuration: plain HTTP, no authentication. */
export function defaultWebConfig(): WebConfig {
  return { basicAuthUsers: {}, http2: true, headers: {} };
}

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

function buildWeb(input: WebInput, files: NamedFiles): WebConfig {
  const headers = Object.entries(input.http_server_config?.headers ?? {});
  return {
    ...(input.tls_server_config === null || input.tls_server_config === undefined
      ? {}
      : { tls: buildTls(input.tls_server_config, files) }),
    basicAuthUsers: { ...input.basic_auth_users },
    http2: input.http_server_config?.http2 ?? true,
    headers: Object.fromEntries(headers.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

const OPENSSL_VERSION = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;

function buildTls(input: NonNullable<WebInput["tls_server_config"]>, files: NamedFiles): WebTls {
  const content = (key: string) => files.get(pathKey(["tls_server_config", key]));
  const type = input.client_auth_type;
  const { cipher_suites: suites, curve_preferences: curves } = input;
  return {
    cert: content("cert_file") ?? "",
    key: content("key_file") ?? "",
    ca: content("client_ca_file"),
    requestCert: type !== "NoClientCert",
    requireCert: type === "RequireAnyClientCert" || type === "RequireAndVerifyClientCert",
    verifyCert: type === "VerifyClientCertIfGiven" || type === "RequireAndVerifyClientCert",
    allowedSans: input.client_allowed_sans ?? [],
    minVersion: OPENSSL_VERSION[input.min_version],
    maxVersion: OPENSSL_VERSION[input.max_version],
    ciphers: suites?.length ? suites.map((name) => CIPHERS[name]).join(":") : undefined,
    honorCipherOrder: input.prefer_server_cipher_suites,
    ecdhCurve: curves?.length ? curves.map((name) => CURVES[name]).join(":") : undefined,
  };
}
