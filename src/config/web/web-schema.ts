import { z } from "zod";
import type { DeepReadonly } from "../base/deep-readonly.ts";
import { always, choice, file, flag, given, matching, sentence, text } from "../schema/fields.ts";
import { tags } from "../schema/tags.ts";
import { isRecord } from "../base/tree.ts";
import { CIPHER_SUITES, CURVES } from "./cipher-suites.ts";

const CLIENT_AUTH_TYPES = [
  "NoClientCert",
  "RequestClientCert",
  "RequireAnyClientCert",
  "VerifyClientCertIfGiven",
  "RequireAndVerifyClientCert",
] as const;

const VERSIONS = ["TLS12", "TLS13"] as const;
/** Node's names of the versions. */
const NODE_VERSIONS = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;
const keys = <T extends Record<string, string>>(table: T) =>
  Object.keys(table) as [keyof T & string, ...Array<keyof T & string>];

const tlsServer = z
  .strictObject({
    cert_file: file("Certificate of the server, PEM.", "pem"),
    key_file: file("Key of the certificate, PEM.", "pem"),
    client_ca_file: file("Certificate authorities of client certificates, PEM.", "pem").optional(),
    client_auth_type: choice("Policy for client certificates.", CLIENT_AUTH_TYPES).prefault("NoClientCert"),
    client_allowed_sans: z
      .array(text("Name."))
      .nullish()
      .describe("Allowed names; a client certificate must have one of them."),
    min_version: choice("Oldest TLS version.", VERSIONS).prefault("TLS12"),
    max_version: choice("Newest TLS version.", VERSIONS).prefault("TLS13"),
    cipher_suites: z
      .array(
        choice(
          "Cipher suite, in Go's spelling.",
          keys(CIPHER_SUITES),
          "a cipher suite such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        ),
      )
      .nullish()
      .describe("Allowed cipher suites."),
    prefer_server_cipher_suites: flag("Whether the server's order of cipher suites decides.").prefault(true),
    curve_preferences: z
      .array(choice("Curve, in Go's spelling.", keys(CURVES)))
      .nullish()
      .describe("Curves, in order."),
  })
  .superRefine((value: unknown, context) => {
    if (!isRecord(value)) return;
    const { client_auth_type: type, client_ca_file: ca } = value;
    const verifies = type === "VerifyClientCertIfGiven" || type === "RequireAndVerifyClientCert";
    if (verifies && ca === undefined)
      sentence(context, ["client_auth_type"], `client_auth_type ${type} requires client_ca_file`, "value");
    if (!verifies && ca !== undefined && CLIENT_AUTH_TYPES.some((known) => known === type)) {
      sentence(
        context,
        ["client_ca_file"],
        "client_ca_file has no effect without client_auth_type RequireAndVerifyClientCert or VerifyClientCertIfGiven",
      );
    }
    if (!verifies && Array.isArray(value["client_allowed_sans"])) {
      sentence(
        context,
        ["client_allowed_sans"],
        "client_allowed_sans requires client_auth_type RequireAndVerifyClientCert or VerifyClientCertIfGiven",
      );
    }
    if (value["min_version"] === "TLS13" && value["max_version"] === "TLS12") {
      sentence(context, ["max_version"], "max_version is older than min_version", "value");
    }
  }, always)
  .describe("TLS of the exporter's own pages.")
  .transform((value) => ({
    /** PEM: the certificate, then its chain. */
    cert: value.cert_file,
    /** PEM. */
    key: value.key_file,
    clientAuth: value.client_auth_type,
    minVersion: NODE_VERSIONS[value.min_version],
    maxVersion: NODE_VERSIONS[value.max_version],
    preferServerCiphers: value.prefer_server_cipher_suites,
    ...given({
      /** Certificate authorities of client certificates, PEM. */
      clientCa: value.client_ca_file,
      /** A client certificate must have one of these alternative names. */
      clientAllowedSans: value.client_allowed_sans ?? undefined,
      /** For TLS 1.2; the suites of TLS 1.3 are not configurable. */
      ciphers: value.cipher_suites ?? undefined,
      curves: value.curve_preferences ?? undefined,
    }),
  }));

const bcryptHash = matching(
  "bcrypt hash of the password.",
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/,
  "a bcrypt hash, as printed by htpasswd -nB after the colon",
).register(tags, { secret: true });

const HEADERS = [
  "Content-Security-Policy",
  "X-Frame-Options",
  "X-Content-Type-Options",
  "X-XSS-Protection",
  "Strict-Transport-Security",
] as const;
const headers = Object.fromEntries(
  HEADERS.map((name) => [name, text(`Response header ${name}.`, 4000).optional()]),
) as Record<(typeof HEADERS)[number], z.ZodOptional<ReturnType<typeof text>>>;

const http2 = flag("Whether HTTP/2 is offered. Must be false: the server supports HTTP/1.1 only.")
  .prefault(false)
  .superRefine((isOn, context) => {
    if (isOn)
      sentence(
        context,
        [],
        "http2 cannot be true: the server supports HTTP/1.1 only; set it to false or remove it",
        "value",
      );
  });

/** The web configuration file of Prometheus's exporter toolkit, transformed to the server's settings. */
export const webSchema = z
  .strictObject({
    tls_server_config: tlsServer.nullish(),
    http_server_config: z
      .strictObject({
        http2,
        headers: z.strictObject(headers).nullish().describe("Headers added to every response."),
      })
      .nullish()
      .describe("HTTP of the exporter's own pages."),
    basic_auth_users: z
      .record(z.string(), bcryptHash)
      .nullish()
      .describe("Users and the bcrypt hashes of their passwords."),
  })
  .transform((value) => ({
    ...given({ tls: value.tls_server_config ?? undefined }),
    /** bcrypt hashes by user name. Without users no credentials are required. */
    users: value.basic_auth_users ?? {},
    /** Added to every response. They replace the server's own headers of the same name; an empty value is ignored. */
    headers: given(value.http_server_config?.headers ?? {}) as Record<string, string>,
  }));

/** TLS, users and headers of the exporter's own pages. */
export type WebSecurity = Partial<DeepReadonly<z.output<typeof webSchema>>>;

export type TlsSettings = NonNullable<WebSecurity["tls"]>;
