import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerOptions } from "../../../src/http/server/start-server.ts";
import type { TlsSettings } from "../../../src/config/web/web-schema.ts";
import { alternativeNames, requiresLogin, tlsFault, tlsOptions } from "../../../src/http/server/web-security.ts";
import { ask } from "../ask.ts";
import { serving } from "../serving.ts";

type Pair = { readonly cert: string; readonly key: string };
const folder = mkdtempSync(join(tmpdir(), "avax-exporter-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** These tests make their certificates with the openssl program (Debian: apt install openssl). */
function openssl(args: string): void {
  execFileSync("openssl", args.split(" "), { cwd: folder, stdio: "pipe" });
}

function pair(name: string): Pair {
  return {
    cert: readFileSync(join(folder, `${name}.crt`), "utf8"),
    key: readFileSync(join(folder, `${name}.key`), "utf8"),
  };
}

const NEW_KEY = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

function selfSigned(name: string): Pair {
  const names = "-addext subjectAltName=IP:127.0.0.1,DNS:localhost";
  openssl(`req -x509 ${NEW_KEY} -days 2 -keyout ${name}.key -out ${name}.crt -subj /CN=${name} ${names}`);
  return pair(name);
}

function signed(name: string, by: string, san: string): Pair {
  writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${san}\n`);
  openssl(`req ${NEW_KEY} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
  const signer = `-CA ${by}.crt -CAkey ${by}.key -CAcreateserial`;
  openssl(`x509 -req -in ${name}.csr ${signer} -out ${name}.crt -days 2 -extfile ${name}.ext`);
  return pair(name);
}

let server: Pair, renewed: Pair, authority: Pair, friend: Pair, stranger: Pair;
beforeAll(() => {
  server = selfSigned("server");
  renewed = selfSigned("renewed");
  authority = selfSigned("authority");
  friend = signed("friend", "authority", "DNS:prometheus.example,URI:spiffe://example/prometheus");
  stranger = selfSigned("stranger");
});

const { start: startWith } = serving();
let address = "";

function settings(over: Partial<TlsSettings> = {}): TlsSettings {
  return {
    ...server,
    clientAuth: "NoClientCert",
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.3",
    preferServerCiphers: true,
    ...over,
  };
}

async function start(over: Partial<TlsSettings> = {}, options: ServerOptions = {}) {
  const running = await startWith({}, { web: { tls: settings(over) }, ...options });
  address = running.address;
  return running;
}

/** The status of a request with this client certificate, or `refused`. */
async function statusWith(client?: Pair, maxVersion: "TLSv1.2" | "TLSv1.3" = "TLSv1.3"): Promise<number | "refused"> {
  try {
    const tls = { ca: server.cert, ...client, maxVersion };
    return (await ask(`${address}/metrics`, { tls })).status;
  } catch {
    return "refused";
  }
}

test("the configured certificate is served", async () => {
  await start();
  expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await statusWith()).toBe(200);
  await expect(ask(`${address}/metrics`, { tls: { ca: stranger.cert } })).rejects.toThrow("self-signed");
  await expect(ask(address.replace("https", "http"))).rejects.toThrow("socket hang up");
});

test("half of a handshake is ended in time, and many of them leave the places to others", async () => {
  await start({}, { limits: { connections: 8, handshakeMs: 300 } });
  const port = Number(new URL(address).port);
  const ended = Array.from({ length: 7 }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write("\u0016\u0003\u0001"));
    return new Promise((resolve) => socket.on("error", resolve).on("close", resolve).resume());
  });
  await expect.poll(() => statusWith()).toBe(200);
  await Promise.all(ended);
  expect(await statusWith()).toBe(200);
});

test("older TLS versions are refused", async () => {
  await start({ minVersion: "TLSv1.3" });
  expect(await statusWith(undefined, "TLSv1.2")).toBe("refused");
  expect(await statusWith(undefined, "TLSv1.3")).toBe(200);
});

test.each([
  ["NoClientCert", { none: 200, friend: 200, stranger: 200 }],
  ["RequestClientCert", { none: 200, friend: 200, stranger: 200 }],
  ["RequireAnyClientCert", { none: "refused", friend: 200, stranger: 200 }],
  ["VerifyClientCertIfGiven", { none: 200, friend: 200, stranger: "refused" }],
  ["RequireAndVerifyClientCert", { none: "refused", friend: 200, stranger: "refused" }],
] as const)("client_auth_type %s", async (clientAuth, who) => {
  await start({ clientAuth, clientCa: authority.cert });
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    const got = {
      none: await statusWith(undefined, version),
      friend: await statusWith(friend, version),
      stranger: await statusWith(stranger, version),
    };
    expect(got).toEqual(who);
  }
});

test.each([
  [["prometheus.example"], 200],
  [["other.example", "spiffe://example/prometheus"], 200],
  [["example"], "refused"],
  [[], "refused"],
] as const)("alternative names %j of a client certificate: %s", async (clientAllowedSans, outcome) => {
  const { logged } = await start({
    clientAuth: "RequireAndVerifyClientCert",
    clientCa: authority.cert,
    clientAllowedSans,
  });
  expect(await statusWith(friend)).toBe(outcome);
  expect(logged).toEqual(
    outcome === 200
      ? []
      : [
          {
            level: "warn",
            data: { client: "127.0.0.1", why: "the client certificate has no allowed alternative name" },
            message: "client refused",
          },
        ],
  );
});

const healthWith = async (url: string, { cert }: Pair) =>
  (await ask(`${url}/-/healthy`, { tls: { ca: cert, servername: "localhost" } })).status;

test("a renewed certificate is served without a restart; a bad one keeps the old", async () => {
  const { secure } = await start();
  secure({ tls: settings({ ...renewed }) });
  await expect(healthWith(address, server)).rejects.toThrow("self-signed");
  expect(await healthWith(address, renewed)).toBe(200);
  expect(() => secure({ tls: settings({ cert: server.cert, key: renewed.key }) })).toThrow("key values mismatch");
  expect(await healthWith(address, renewed)).toBe(200);
});

test("only what differs is renewed, and its handshake is the one that asked for it", async () => {
  const renewals: boolean[] = [];
  let next: Pair = server;
  const { addresses, renew } = await start(
    {},
    { listen: ["127.0.0.1:0", "[::1]:0"], onHandshake: (running) => void renewals.push(running.renew(next)) },
  );
  const [first = "", second = ""] = addresses;
  expect(await healthWith(first, server)).toBe(200);
  next = renewed;
  expect(await healthWith(second, renewed)).toBe(200);
  expect(await healthWith(first, renewed)).toBe(200);
  expect(renewals).toEqual([false, true, false]);
  expect(() => renew({ cert: server.cert })).toThrow("key values mismatch");
  expect(await healthWith(first, renewed)).toBe(200);
});

test("a key of another certificate, and what is no certificate, are faults without their content", () => {
  expect(tlsFault(settings())).toBeUndefined();
  expect(tlsFault(settings({ key: renewed.key }))).toBe("the key does not belong to the certificate");
  const broken = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
  expect(tlsFault(settings({ cert: broken }))).toMatch(/^the certificate or the key cannot be used \(ERR_OSSL_\w+\)$/);
});

test("changes that need a restart are refused", async () => {
  const { secure } = await start();
  const plain = await startWith();
  for (const change of [
    () => secure(undefined),
    () => secure({ tls: settings({ clientAuth: "RequestClientCert" }) }),
    () => plain.secure({ tls: settings() }),
  ])
    expect(change).toThrow("while running: restart the exporter");
  expect(await statusWith()).toBe(200);
});

test("cipher suites and curves get OpenSSL's names; suites of TLS 1.3 are not configurable", () => {
  const { ciphers, ecdhCurve, honorCipherOrder } = tlsOptions(
    settings({
      ciphers: ["TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"],
      curves: ["X25519", "CurveP256"],
      preferServerCiphers: false,
    }),
  );
  expect([ciphers, ecdhCurve, honorCipherOrder]).toEqual(["ECDHE-RSA-AES128-GCM-SHA256", "X25519:P-256", false]);
});

test("only the configured cipher suites are accepted", async () => {
  await start({ ciphers: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"], maxVersion: "TLSv1.2", curves: ["CurveP256"] });
  const request = (ciphers: string) => ask(`${address}/-/healthy`, { tls: { ca: server.cert, ciphers } });
  expect((await request("ECDHE-ECDSA-AES256-GCM-SHA384")).status).toBe(200);
  await expect(request("ECDHE-ECDSA-AES128-GCM-SHA256")).rejects.toThrow("handshake failure");
});

test("configured headers replace the server's own on every response; empty ones are ignored", async () => {
  const headers = {
    "Strict-Transport-Security": "max-age=60",
    "content-security-policy": "default-src 'self'",
    "X-Content-Type-Options": "",
  };
  const plain = await startWith({}, { web: { headers } });
  for (const path of ["/", "/metrics", "/nothing"]) {
    const answer = await ask(plain.address + path);
    expect(answer.headers["strict-transport-security"]).toBe("max-age=60");
    expect(answer.headers["content-security-policy"]).toBe("default-src 'self'");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  }
});

test.each([
  ["", []],
  [
    "DNS:a.example, IP Address:10.0.0.1, URI:spiffe://x/y, email:a@b.example",
    ["a.example", "10.0.0.1", "spiffe://x/y", "a@b.example"],
  ],
  [String.raw`othername:UPN:"a, DNS:allowed, b"`, []],
])("the alternative names of %j", (text, names) => {
  expect(alternativeNames(text)).toEqual(names);
});

test.each([
  ["NoClientCert", false],
  ["RequestClientCert", false],
  ["RequireAnyClientCert", false],
  ["VerifyClientCertIfGiven", false],
  ["RequireAndVerifyClientCert", true],
] as const)("with %s a login is required: %s", (clientAuth, expected) => {
  const tls = settings({ clientAuth });
  expect(requiresLogin({ tls })).toBe(expected);
  expect(requiresLogin({ tls, users: { admin: "$2b$…" } })).toBe(true);
  expect(requiresLogin(undefined)).toBe(false);
});
