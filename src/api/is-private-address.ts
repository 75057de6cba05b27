/** Ranges of IPv4 by the first two bytes: the first byte, and from and to of the second. */
const RANGES: ReadonlyArray<readonly [first: number, from: number, to: number]> = [
  [0, 0, 255],
  [10, 0, 255],
  [100, 64, 127],
  [127, 0, 255],
  [169, 254, 254],
  [172, 16, 31],
  [192, 168, 168],
];

/** Loopback, unspecified, unique local and link-local addresses of IPv6. */
const LOCAL_IPV6 = /^(?:::1?$|f[cd]|fe[89ab])/;

/** Whether no other machine on the internet reaches an address, with a port or without: it is private, shared, link-local or local. */
export function isPrivateAddress(address: string): boolean {
  const bare = address
    .toLowerCase()
    .replace(/^\[|\](?::\d+)?$/g, "")
    .replace(/^::ffff:(?=\d+\.)/, "");
  const [, first, second] = /^(\d+)\.(\d+)\.\d+\.\d+(?::\d+)?$/.exec(bare) ?? [];
  if (first === undefined || second === undefined) return LOCAL_IPV6.test(bare);
  return RANGES.some(([byte, from, to]) => Number(first) === byte && Number(second) >= from && Number(second) <= to);
}

/** Names that resolve inside a network alone. */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|svc)$/;

/** Whether the host of a URL is a public address, or a name that can be one. */
export function isPublicAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return /^[\d.]+$|^\[/.test(hostname) ? !isPrivateAddress(hostname) : !LOCAL_NAME.test(hostname);
}
