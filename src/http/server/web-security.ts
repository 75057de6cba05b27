import type { ServerOptions } from "node:https";
import { createSecureContext, type TLSSocket } from "node:tls";
import { CIPHER_SUITES, CURVES, type TlsSettings, type WebSecurity } from "../../config/web/web-schema.ts";

/** The options of Node's TLS server. `refusal` checks the policies that they cannot express. */
export function tlsOptions(tls: TlsSettings): ServerOptions {
  const ciphers = (tls.ciphers ?? []).map((suite) => CIPHER_SUITES[suite]).filter((name) => !name.startsWith("TLS_"));
  return {
    cert: tls.cert,
    key: tls.key,
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    requestCert: tls.clientAuth !== "NoClientCert",
    rejectUnauthorized: tls.clientAuth === "RequireAndVerifyClientCert",
    honorCipherOrder: tls.preferServerCiphers,
    ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa }),
    ...(ciphers.length === 0 ? {} : { ciphers: ciphers.join(":") }),
    ...(tls.curves === undefined ? {} : { ecdhCurve: tls.curves.map((curve) => CURVES[curve]).join(":") }),
  };
}

/** Why a server cannot use these certificates and keys; `undefined` when it can. Never contains any of them. */
export function tlsFault(tls: TlsSettings): string | undefined {
  try {
    createSecureContext(tlsOptions(tls));
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH"
      ? "the key does not belong to the certificate"
      : `the certificate or the key cannot be used (${code === "" ? "unknown error" : code})`;
  }
}

/** Whether every page requires a password or a verified client certificate. */
export function requiresLogin(web: WebSecurity | undefined): boolean {
  // Any other policy accepts a certificate that its owner has signed, or none.
  return Object.keys(web?.users ?? {}).length > 0 || web?.tls?.clientAuth === "RequireAndVerifyClientCert";
}

/** The reason to refuse a client after its handshake; `undefined` when it is accepted. */
export function refusal(tls: TlsSettings | undefined, socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  const { clientAuth, clientAllowedSans: allowed } = tls ?? {};
  const mustBeGiven = clientAuth === "RequireAnyClientCert" || clientAuth === "RequireAndVerifyClientCert";
  const mustBeTrusted = clientAuth === "VerifyClientCertIfGiven" || clientAuth === "RequireAndVerifyClientCert";
  if (certificate === undefined) return mustBeGiven ? "no client certificate" : undefined;
  if (mustBeTrusted && !socket.authorized) return "the client certificate is not trusted";
  if (allowed === undefined) return undefined;
  const names = alternativeNames(certificate.subjectAltName ?? "");
  return names.some((name) => allowed.includes(name))
    ? undefined
    : "the client certificate has no allowed alternative name";
}

/**
 * The values of `DNS:a.example, IP Address:10.0.0.1`. Node.js quotes one with special characters, which could hide a name inside
 * another: a certificate with such a value has no name here.
 */
export function alternativeNames(subjectAltName: string): readonly string[] {
  if (subjectAltName === "" || subjectAltName.includes('"')) return [];
  return subjectAltName.split(", ").map((entry) => entry.slice(entry.indexOf(":") + 1));
}
