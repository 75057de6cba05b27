import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeSources } from "../../../src/config/read/sources.ts";
import { formatProblem } from "../../../src/config/base/config-problem.ts";
import { loadWebConfig } from "../../../src/config/web/load-web-config.ts";

const FOLDER = join(import.meta.dirname, "../testdata");
const load = (name: string) => loadWebConfig(join(FOLDER, name), nodeSources({}));

const CERT = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const KEY = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";

/** The problems of a web configuration of this text, or its settings. */
function loaded(text: string) {
  const files: Readonly<Record<string, string>> = { "web.yaml": text, "cert.pem": CERT, "key.pem": KEY };
  const result = loadWebConfig("web.yaml", { ...nodeSources({}), readFile: (path) => files[path] ?? "" });
  return result.ok ? result.loaded : result.problems.map(formatProblem);
}

test("every key is converted to the server's settings", () => {
  const result = load("web-valid.yaml");
  expect(result).toEqual({
    ok: true,
    loaded: {
      web: {
        tls: {
          cert: CERT,
          key: KEY,
          clientCa: CERT,
          clientAuth: "RequireAndVerifyClientCert",
          clientAllowedSans: ["prometheus.example.org"],
          minVersion: "TLSv1.3",
          maxVersion: "TLSv1.3",
          ciphers: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"],
          preferServerCiphers: true,
          curves: ["X25519", "CurveP256"],
        },
        rateLimit: { interval: 0.2, burst: 20 },
        publicPaths: ["/-/healthy", "/-/ready"],
        users: { prometheus: "$2b$04$byEoEx2tvEE3LVs02zzeX.hmfp8Cx7Qgvktm/HGG8Ts7rnedb3yYe" },
        headers: { "X-Frame-Options": "deny" },
      },
      warnings: [],
      certificates: {
        cert: join(FOLDER, "cert.pem"),
        key: join(FOLDER, "key.pem"),
        clientCa: join(FOLDER, "cert.pem"),
      },
    },
  });
});

test.each([
  "",
  "basic_auth_users:\nhttp_server_config:\ntls_server_config:\n",
  "http_server_config:\n  http2: false\n",
  "http_server_config:\n  http2: true\n",
])("%j means plain HTTP without authentication", (text) => {
  expect(loaded(text)).toHaveProperty("web", { users: {}, headers: {} });
});

test("HTTP/2, as in a file that exporters share, is a warning: HTTP/1.1 is served", () => {
  const result = loaded("basic_auth_users: {}\nhttp_server_config: { http2: true }\n");
  expect("warnings" in result && result.warnings.map(formatProblem)).toEqual([
    "web.yaml:2:30: http2 has no effect: the server supports HTTP/1.1 alone, which every scraper can use",
  ]);
  expect(loaded("http_server_config: { http2: false }\n")).toMatchObject({ warnings: [] });
});

test.each([
  ["$2y$04$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG", true],
  ["$2y$03$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG", false],
  ["$2y$14$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG", true],
  ["$2y$15$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG", false],
  ["$2y$10$X0h1gDsPszWURQaxFh", false],
])("%s is a bcrypt hash: %s", (hash, is) => {
  expect("web" in loaded(JSON.stringify({ basic_auth_users: { a: hash } }))).toBe(is);
});

const block = (text: string): string => text.trim().replaceAll("\n", "\n    ");

test("certificate, key and authorities can be written into the file: only what is in files is followed as a file", () => {
  const text = `tls_server_config:
  cert: |
    ${block(CERT)}
  key: |
    ${block(KEY)}
  client_ca: |
    ${block(CERT)}
  client_auth_type: RequireAndVerifyClientCert
`;
  expect(loaded(text)).toMatchObject({ web: { tls: { cert: CERT, key: KEY, clientCa: CERT } }, certificates: {} });
  expect(loaded(`tls_server_config:\n  cert_file: cert.pem\n  key: |\n    ${block(KEY)}\n`)).toMatchObject({
    web: { tls: { cert: CERT, key: KEY } },
    certificates: { cert: "cert.pem" },
  });
});

test("inline PEM and a file exclude each other, and no message contains PEM", () => {
  const text = `tls_server_config:
  cert_file: cert.pem
  cert: |
    ${block(CERT)}
  key_file: key.pem
  key: s3cret
  client_ca: |
    ${block(CERT)}
`;
  expect(loaded(text)).toEqual([
    "web.yaml:2:3: cert and cert_file are both given; keep one of them",
    "web.yaml:7:3: key and key_file are both given; keep one of them",
    "web.yaml:8:8: tls_server_config.key must be PEM text with a -----BEGIN line; found text",
    "web.yaml:9:3: client_ca has no effect without client_auth_type RequireAndVerifyClientCert or VerifyClientCertIfGiven",
  ]);
});

test.each<[string, object | undefined]>([
  ["{ interval: 1s, burst: 20 }", { interval: 1, burst: 20 }],
  ["{ interval: 250ms }", { interval: 0.25, burst: 1 }],
  ["{ interval: 0, burst: 20 }", undefined],
  ['{ interval: "0" }', undefined],
  ["", undefined],
])("rate_limit %s", (text, rateLimit) => {
  expect(loaded(`rate_limit: ${text}\n`)).toMatchObject({ web: rateLimit === undefined ? {} : { rateLimit } });
  const result = loaded(`rate_limit: ${text}\n`);
  expect("web" in result && "rateLimit" in result.web).toBe(rateLimit !== undefined);
});

test.each([
  ["{ burst: 5 }", "13: rate_limit.interval is missing; it must be a duration such as 200ms"],
  ["{ interval: 1s, burst: 0 }", "36: rate_limit.burst must be a whole number from 1 to 1000000; found the number 0"],
  [
    "{ interval: 5, burst: 1 }",
    "25: rate_limit.interval must be a value from 0s to 1h such as 1s or 200ms; 0 switches the limit off; found the number 5",
  ],
])("rate_limit %s is refused", (text, problem) => {
  expect(loaded(`rate_limit: ${text}\n`)).toEqual([`web.yaml:1:${problem}`]);
});
