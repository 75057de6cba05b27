import { z } from "zod";
import type { DeepReadonly } from "../config.ts";
import { parseDuration } from "../base/units.ts";
import {
  always,
  choice,
  file,
  flag,
  given,
  integer,
  listOrNone,
  matching,
  measure,
  sentence,
  text,
  type Field,
} from "../schema/fields.ts";
import { exactlyOne } from "../schema/auth-fields.ts";
import { tags } from "../schema/shape.ts";
import { isRecord } from "../base/value-at.ts";

/** OpenSSL's name of each cipher suite that the web configuration file accepts. */
export const CIPHER_SUITES = {
  TLS_AES_128_GCM_SHA256: "TLS_AES_128_GCM_SHA256",
  TLS_AES_256_GCM_SHA384: "TLS_AES_256_GCM_SHA384",
  TLS_CHACHA20_POLY1305_SHA256: "TLS_CHACHA20_POLY1305_SHA256",
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: "ECDHE-ECDSA-AES128-SHA",
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: "ECDHE-ECDSA-AES256-SHA",
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: "ECDHE-RSA-AES128-SHA",
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: "ECDHE-RSA-AES256-SHA",
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: "ECDHE-ECDSA-AES128-GCM-SHA256",
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: "ECDHE-ECDSA-AES256-GCM-SHA384",
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: "ECDHE-RSA-AES128-GCM-SHA256",
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: "ECDHE-RSA-AES256-GCM-SHA384",
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: "ECDHE-RSA-CHACHA20-POLY1305",
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: "ECDHE-ECDSA-CHACHA20-POLY1305",
} as const satisfies Readonly<Record<string, string>>;

/** OpenSSL's name of each curve that the web configuration file accepts. */
export const CURVES = {
  CurveP256: "P-256",
  CurveP384: "P-384",
  CurveP521: "P-521",
  X25519: "X25519",
} as const satisfies Readonly<Record<string, string>>;

const CLIENT_AUTH_TYPES = [
  "NoClientCert",
  "RequestClientCert",
  "RequireAnyClientCert",
  "VerifyClientCertIfGiven",
  "RequireAndVerifyClientCert",
] as const;

/** Node's names of the versions. */
const VERSIONS = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;
const keys = <T extends Record<string, string>>(table: T) => Object.keys(table) as Array<keyof T & string>;

/** PEM in the file itself. Never displayed, because a key can be pasted at the wrong place. */
const pem = (description: string) =>
  matching(description, /-----BEGIN /, "PEM text with a -----BEGIN line").register(tags, { secret: true });

const tlsServer = z
  .strictObject({
    cert: pem("Certificate of the server, PEM, in place of cert_file.").optional(),
    key: pem("Key of the certificate, PEM, in place of key_file.").optional(),
    client_ca: pem("Certificate authorities of client certificates, PEM, in place of client_ca_file.").optional(),
    cert_file: file("Certificate of the server, PEM.", "pem").optional(),
    key_file: file("Key of the certificate, PEM.", "pem").optional(),
    client_ca_file: file("Certificate authorities of client certificates, PEM.", "pem").optional(),
    client_auth_type: choice("Policy for client certificates.", CLIENT_AUTH_TYPES).prefault("NoClientCert"),
    client_allowed_sans: listOrNone("Allowed names; a client certificate must have one of them.", text("Name.")),
    min_version: choice("Oldest TLS version.", keys(VERSIONS)).prefault("TLS12"),
    max_version: choice("Newest TLS version.", keys(VERSIONS)).prefault("TLS13"),
    cipher_suites: listOrNone(
      "Allowed cipher suites.",
      choice(
        "Cipher suite, in Go's spelling.",
        keys(CIPHER_SUITES),
        "a cipher suite such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      ),
    ),
    prefer_server_cipher_suites: flag("Whether the server's order of cipher suites decides.").prefault(true),
    curve_preferences: listOrNone("Curves, in order.", choice("Curve, in Go's spelling.", keys(CURVES))),
  })
  .superRefine((value: unknown, context) => {
    if (!isRecord(value)) return;
    exactlyOne(value, context, "cert", "cert_file", true);
    exactlyOne(value, context, "key", "key_file", true);
    exactlyOne(value, context, "client_ca", "client_ca_file", false);
    const type = value["client_auth_type"];
    const ca = ["client_ca_file", "client_ca"].find((name) => value[name] !== undefined);
    const verifies = type === "VerifyClientCertIfGiven" || type === "RequireAndVerifyClientCert";
    if (verifies && ca === undefined)
      sentence(context, ["client_auth_type"], `client_auth_type ${type} requires client_ca_file or client_ca`, "value");
    if (!verifies && ca !== undefined)
      sentence(
        context,
        [ca],
        `${ca} has no effect without client_auth_type RequireAndVerifyClientCert or VerifyClientCertIfGiven`,
      );
    if (type !== "RequireAndVerifyClientCert" && Array.isArray(value["client_allowed_sans"]))
      sentence(
        context,
        ["client_allowed_sans"],
        "client_allowed_sans requires client_auth_type RequireAndVerifyClientCert: otherwise a client passes without a certificate, or with one that it made itself",
      );
    if (value["min_version"] === "TLS13" && value["max_version"] === "TLS12")
      sentence(context, ["max_version"], "max_version is older than min_version", "value");
  }, always)
  .describe("TLS of the exporter's own pages.")
  .transform((value) => ({
    /** PEM: the certificate, then its chain. */
    cert: value.cert_file ?? value.cert ?? "",
    /** PEM. */
    key: value.key_file ?? value.key ?? "",
    clientAuth: value.client_auth_type,
    minVersion: VERSIONS[value.min_version],
    maxVersion: VERSIONS[value.max_version],
    preferServerCiphers: value.prefer_server_cipher_suites,
    ...given({
      /** Certificate authorities of client certificates, PEM. */
      clientCa: value.client_ca_file ?? value.client_ca,
      /** A client certificate must have one of these alternative names. */
      clientAllowedSans: value.client_allowed_sans ?? undefined,
      /** For TLS 1.2; the suites of TLS 1.3 are not configurable. */
      ciphers: value.cipher_suites ?? undefined,
      curves: value.curve_preferences ?? undefined,
    }),
  }));

// A check of a hash with the cost 14 takes about a second, and twice as long with each one more.
const bcryptHash = matching(
  "bcrypt hash of the password.",
  /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/,
  "a bcrypt hash with a cost of 14 at most, as printed by htpasswd -nB after the colon",
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
) as Record<(typeof HEADERS)[number], z.ZodOptional<Field<string>>>;

/** Output: seconds. The toolkit writes the number 0 as well. */
const interval = measure(
  z.union([z.string(), z.number()], { error: "a duration such as 200ms" }),
  "1s or 200ms; 0 switches the limit off",
  (text) => (text === "0" ? 0 : parseDuration(text)),
);

const rateLimit = z
  .strictObject({
    interval: interval("Time after which one more request is accepted.", "0s", "1h"),
    // The toolkit's default is 0, which would refuse every request.
    burst: integer("Requests that are accepted at once.", 1, 1_000_000).prefault(1),
  })
  .describe("Limit on the requests of all clients together, as a token bucket.")
  .transform((limit) => (limit.interval === 0 ? undefined : limit));

/** The paths that show nothing about nodes, validators or the configuration. */
const PUBLIC_PATHS = ["/-/healthy", "/-/ready"] as const;

const excludedPath = choice(
  "Path that is served without a login.",
  PUBLIC_PATHS,
  "/-/healthy or /-/ready: every other path shows or changes something",
);

/** The web configuration file of Prometheus's exporter toolkit, transformed to the server's settings. */
export const webSchema = z
  .strictObject({
    tls_server_config: tlsServer.nullish(),
    http_server_config: z
      .strictObject({
        // The server's limits against slow and greedy clients are made for HTTP/1.1.
        http2: flag("Whether HTTP/2 is offered. Without effect: the server supports HTTP/1.1 alone.").optional(),
        headers: z.strictObject(headers).nullish().describe("Headers added to every response."),
      })
      .nullish()
      .describe("HTTP of the exporter's own pages."),
    basic_auth_users: z
      .record(z.string(), bcryptHash)
      .nullish()
      .describe("Users and the bcrypt hashes of their passwords."),
    auth_excluded_paths: listOrNone("Paths that are served without a login.", excludedPath),
    rate_limit: rateLimit.nullish(),
  })
  .transform((value) => ({
    ...given({
      tls: value.tls_server_config ?? undefined,
      /** `interval` in seconds. */
      rateLimit: value.rate_limit ?? undefined,
      /** Paths without a login. */
      publicPaths: value.auth_excluded_paths ?? undefined,
    }),
    /** bcrypt hashes by user name. Without users no credentials are required. */
    users: value.basic_auth_users ?? {},
    /** Added to every response. They replace the server's own headers of the same name; an empty value is ignored. */
    headers: given(value.http_server_config?.headers ?? {}) as Record<string, string>,
  }));

/** TLS, users and headers of the exporter's own pages. */
export type WebSecurity = Partial<DeepReadonly<z.output<typeof webSchema>>>;

export type TlsSettings = NonNullable<WebSecurity["tls"]>;
