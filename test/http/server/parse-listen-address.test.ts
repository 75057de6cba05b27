import { expect, test } from "vitest";
import { parseListenAddress } from "../../../src/http/server/parse-listen-address.ts";

test.each([
  ["127.0.0.1:9750", { host: "127.0.0.1", port: 9750 }],
  [":9750", { host: undefined, port: 9750 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:0", { host: "::1", port: 0 }],
  ["[::]:65535", { host: "::", port: 65_535 }],
])("%s is an address", (text, address) => {
  expect(parseListenAddress(text)).toEqual(address);
});

test.each([
  "",
  "9750",
  "localhost",
  "host:",
  "host:65536",
  "::1:9750",
  "[localhost]:1",
  "[]:1",
  "http://a:1",
  "a b:1",
  ":-1",
])("%j is not an address", (text) => {
  expect(parseListenAddress(text)).toBeUndefined();
});
