import { expect, it } from "vitest";
import { isPrivateAddress, isPublicAddress } from "../../src/api/is-private-address.ts";

it.each(
  [
    ...["0.0.0.0", "10.0.0.1:9651", "127.0.0.1:9651", "169.254.7.7:9651", "192.168.1.1:9651"],
    ...["172.16.0.1:9651", "172.31.255.255", "100.64.0.1:9651", "100.127.0.1:9651"],
    ...["[::1]:9651", "::1", "::", "[fd12::1]:9651", "fc00::1", "[FE80::1]:9651", "febf::1", "[::ffff:10.0.0.1]:9651"],
  ].map((address) => [address]),
)("%s is reached by no other machine on the internet", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each(
  [
    ...["1.0.0.1:9651", "11.0.0.1", "172.15.0.1:9651", "172.32.0.1:9651", "100.63.0.1", "100.128.0.1:9651"],
    ...["192.167.0.1:9651", "169.253.0.1:9651", "[2001:db8::1]:9651", "::1:2", "fec0::1", "[::ffff:8.8.8.8]:9651", ""],
  ].map((address) => [address]),
)("%j is not known to be private", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

it.each([
  ["http://127.0.0.1:9650", false],
  ["http://10.1.2.3:9650", false],
  ["http://[fd12::1]:9650", false],
  ["http://localhost:9650", false],
  ["http://avalanche:9650", false],
  ["http://node.avax.svc:9650", false],
  ["http://node.avax.svc.cluster.local:9650", false],
  ["http://ip-10-0-0-1.eu-west-1.compute.internal:9650", false],
  ["http://8.8.8.8:9650", true],
  ["http://[2001:db8::1]:9650", true],
  ["https://user:secret@api.example.com/node", true],
])("%s is at a public address: %s", (url, expected) => {
  expect(isPublicAddress(url)).toBe(expected);
});
