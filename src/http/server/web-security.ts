import type { ServerOptions } from "node:https";
import type { TLSSocket } from "node:tls";
import { CIPHER_SUITES, CURVES, type CipherSuite, type Curve } from "../../config/web/cipher-suites.ts";

/** TLS, users and headers of the server, as the exporters' shared web configuration file defines them; files already read. */
export type WebSecurity = {
  readonly tls?: TlsSettings | undefined;
  /** bcrypt hashes by user name. Nobody is asked for credentials when it is missing or empty. */
  readonly users?: Readonly<Record<string, string>> | undefined;
  /** Added to every response, in place of the server's own header of that name; a blank value adds nothing. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The policies for client certificates, in the spelling of the web configuration file. */
export const CLIENT_AUTH_TYPES = [
  "NoClientCert",
  "RequestClientCert",
  "RequireAnyClientCert",
  "VerifyClientCertIfGiven",
  "RequireAndVerifyClientCert",
] as const;

export type ClientAuth = (typeof CLIENT_AUTH_TYPES)[number];

export type TlsVersion = "TLSv1.2" | "TLSv1.3";

export type TlsSettings = {
  /** PEM: the certificate, then its chain. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** PEM: who may sign client certificates. */
  readonly clientCa?: string | undefined;
  readonly clientAuth: ClientAuth;
  /** When given, a client certificate must carry one of these alternative names. */
  readonly clientAllowedSans?: readonly string[] | undefined;
  readonly minVersion: TlsVersion;
  readonly maxVersion?: TlsVersion | undefined;
  /** For TLS 1.2; those of TLS 1.3 are not configurable. */
  readonly ciphers?: readonly CipherSuite[] | undefined;
  /** False lets the client's order decide. */
  readonly preferServerCiphers?: boolean | undefined;
  readonly curves?: readonly Curve[] | undefined;
};

/** The settings as Node's TLS server takes them. What it cannot express is left to `refusal`. */
export function tlsOptions(tls: TlsSettings): ServerOptions {
  const ciphers = (tls.ciphers ?? []).map((suite) => CIPHER_SUITES[suite]).filter((name) => !name.startsWith("TLS_"));
  return {
    cert: tls.cert,
    key: tls.key,
    minVersion: tls.minVersion,
    requestCert: tls.clientAuth !== "NoClientCert",
    rejectUnauthorized: tls.clientAuth === "RequireAndVerifyClientCert",
    honorCipherOrder: tls.preferServerCiphers ?? true,
    ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa }),
    ...(tls.maxVersion === undefined ? {} : { maxVersion: tls.maxVersion }),
    ...(ciphers.length === 0 ? {} : { ciphers: ciphers.join(":") }),
    ...(tls.curves === undefined ? {} : { ecdhCurve: tls.curves.map((curve) => CURVES[curve]).join(":") }),
  };
}

/** Why a client whose handshake is done is still refused; undefined when it is welcome. */
export function refusal(tls: TlsSettings, socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  const mustBeGiven = tls.clientAuth === "RequireAnyClientCert" || tls.clientAuth === "RequireAndVerifyClientCert";
  const mustBeTrusted = tls.clientAuth === "VerifyClientCertIfGiven" || tls.clientAuth === "RequireAndVerifyClientCert";
  if (certificate === undefined) return mustBeGiven ? "no client certificate" : undefined;
  if (mustBeTrusted && !socket.authorized) return "the client certificate is not trusted";
  if (tls.clientAllowedSans === undefined) return undefined;
  const names = alternativeNames(certificate.subjectAltName ?? "");
  return names.some((name) => tls.clientAllowedSans?.includes(name) === true)
    ? undefined
    : "no alternative name of the client certificate is allowed";
}

/**
 * The values of `DNS:a.example, IP Address:10.0.0.1, URI:"a, b"`, whose unusual ones are quoted as JSON strings. Nothing
 * when a single entry is not understood: a certificate must not smuggle one name inside another.
 */
export function alternativeNames(subjectAltName: string): readonly string[] {
  const entry = /(?:^|, )[A-Za-z0-9 ]+:("(?:[^"\\]|\\.)*"|[^,"]*)(?=, |$)/gy;
  const values: string[] = [];
  let end = 0;
  for (const match of subjectAltName.matchAll(entry)) {
    const value = unquote(match[1] ?? "");
    if (value !== undefined) values.push(value);
    end = match.index + match[0].length;
  }
  return end === subjectAltName.length ? values : [];
}

function unquote(value: string): string | undefined {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return undefined;
  }
}
