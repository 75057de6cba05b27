import { expect, test } from "vitest";
import { remedyFor } from "../../src/api/remedy-for.ts";

test.each([
  ["http://10.0.0.1:9651", { reason: "reset" }, /^9651 is the staking port: use the API port, 9650 by default$/],
  ["https://10.0.0.1:9651", { reason: "tls" }, /^9651 is the staking port/],
  ["http://10.0.0.1:29651", { reason: "reset" }, /staking port .* if the port has TLS, use https:/],
  ["https://10.0.0.1:9650", { reason: "tls", message: "TLS failed: self-signed certificate" }, /tls\.ca_file/],
  [
    "https://10.0.0.1:9650",
    { reason: "tls", message: "TLS failed: Hostname/IP does not match certificate's altnames" },
    /tls\.server_name/,
  ],
  ["https://10.0.0.1:9650", { reason: "tls", message: "TLS failed: certificate has expired" }, /^renew/],
  ["https://10.0.0.1:9650", { reason: "tls", message: "TLS failed: wrong version number" }, undefined],
  ["http://10.0.0.1", { reason: "refused" }, /^start the node, or correct host and port/],
  ["http://nodee:9650", { reason: "dns" }, /^correct the host name/],
  ["http://10.0.0.1", { reason: "not_json" }, /^the HTTP server is not an Avalanche node/],
  ["http://10.0.0.1", { reason: "http_status", status: 404 }, /^the HTTP server is not an Avalanche node/],
  ["http://10.0.0.1", { reason: "http_status", status: 503 }, undefined],
  ["http://10.0.0.1:9650", { reason: "timeout" }, undefined],
] as const)("%s with %j has a remedy", (url, failure, remedy) => {
  const text = remedyFor(url, { message: "", ...failure });
  if (remedy === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(remedy);
});
