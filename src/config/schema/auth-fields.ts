import { z } from "zod";
import { isRecord } from "../base/value-at.ts";
import type { TlsOptions } from "../../api/transport/connection.ts";
import { always, file, flag, given, mapOf, matching, secret, sentence, text } from "./fields.ts";
import { tags } from "./shape.ts";

/** The characters that a header's name can have. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** Adds an issue when both keys are present, or when one is required and both are missing. */
export function exactlyOne(
  value: unknown,
  context: z.RefinementCtx,
  one: string,
  other: string,
  required: boolean,
): void {
  if (!isRecord(value)) return;
  const both = value[one] !== undefined && value[other] !== undefined;
  if (both) sentence(context, [other], `${one} and ${other} are both given; keep one of them`);
  else if (required && value[one] === undefined && value[other] === undefined)
    sentence(context, [], `${one} or ${other} is missing`);
}

/** Output: the value of the header Authorization. */
export const basicAuth = z
  .strictObject({
    username: matching("User name.", /^[^:\p{Cc}]+$/u, "text without a colon"),
    password: secret("Password; `${NAME}` takes it from the environment.").optional(),
    password_file: file("File that holds the password.", "secret").optional(),
  })
  .superRefine((value: unknown, context) => exactlyOne(value, context, "password", "password_file", true), always)
  .describe("Basic authentication for the node.")
  .transform(({ username, password, password_file: fromFile }) => {
    const credentials = `${username}:${password ?? fromFile ?? ""}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  });

const headerValue = z
  .union([
    z.string(),
    z
      .strictObject({
        value: z.string().describe("The value; `${NAME}` takes it from the environment.").optional(),
        value_file: file("File that holds the value.", "secret").optional(),
      })
      .superRefine((value: unknown, context) => exactlyOne(value, context, "value", "value_file", true), always),
  ])
  .describe("The header's value as text, or a mapping with `value` or `value_file`.")
  .register(tags, { secret: true, header: true })
  .transform((value) => (typeof value === "string" ? value : (value.value ?? value.value_file ?? "")));

/** Headers that the exporter or the connection sets. */
const RESERVED =
  /^(host|connection|content-length|content-type|transfer-encoding|accept|upgrade|expect|keep-alive|proxy-authorization)$/i;

const headerName = z
  .string()
  .regex(HEADER_NAME, { error: "a header name: letters, digits and dashes only" })
  .refine((name) => !RESERVED.test(name), { error: "a header that the exporter does not set itself" });

export const headers = mapOf("Request headers by name. Values are treated as secrets.", headerValue, headerName);

export const clientTls = z
  .strictObject({
    ca_file: file("Trusted certificate authorities, PEM.", "pem").optional(),
    cert_file: file("Client certificate, PEM.", "pem").optional(),
    key_file: file("Key of the client certificate, PEM.", "pem").optional(),
    server_name: text("Expected name in the server's certificate. Default: the host of the URL.").optional(),
    insecure_skip_verify: flag("Accept any certificate.").prefault(false),
  })
  .superRefine((value: unknown, context) => {
    if (!isRecord(value)) return;
    for (const [one, other] of [["cert_file", "key_file"] as const, ["key_file", "cert_file"] as const])
      if (value[one] !== undefined && value[other] === undefined) sentence(context, [one], `${one} requires ${other}`);
  }, always)
  .describe("TLS for the node.")
  .transform((value): TlsOptions =>
    given({
      ca: value.ca_file,
      cert: value.cert_file,
      key: value.key_file,
      servername: value.server_name,
      rejectUnauthorized: value.insecure_skip_verify ? false : undefined,
    }),
  );
