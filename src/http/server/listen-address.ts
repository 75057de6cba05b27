import { isIPv6 } from "node:net";

const HOST_AND_PORT = /^(?<host>\[[^\]]*\]|[A-Za-z0-9._-]*):(?<port>[0-9]{1,5})$/;

/**
 * Parses `host:port`, `:port` or `[IPv6]:port`. `host` is undefined for all interfaces; with port 0 the system chooses one.
 * `undefined` for other text.
 */
export function parseListenAddress(text: string): { host: string | undefined; port: number } | undefined {
  const { host = "", port = "" } = HOST_AND_PORT.exec(text)?.groups ?? {};
  if (port === "" || Number(port) > 65_535) return undefined;
  if (!host.startsWith("[")) return { host: host === "" ? undefined : host, port: Number(port) };
  const bare = host.slice(1, -1);
  return isIPv6(bare) ? { host: bare, port: Number(port) } : undefined;
}

/** The first two addresses that a machine cannot open both; undefined when there are none. */
export function overlapping(addresses: readonly string[]): readonly [string, string] | undefined {
  for (const [index, second] of addresses.entries()) {
    const first = addresses.slice(0, index).find((each) => overlap(each, second));
    if (first !== undefined) return [first, second];
  }
  return undefined;
}

function overlap(a: string, b: string): boolean {
  const [one, other] = [parseListenAddress(a), parseListenAddress(b)];
  if (one === undefined || other === undefined || one.port !== other.port || one.port === 0) return false;
  const hosts = [one.host ?? "::", other.host ?? "::"].map((host) => host.toLowerCase());
  // `::` has the addresses of IPv4 as well.
  return (
    hosts[0] === hosts[1] || hosts.includes("::") || (hosts.includes("0.0.0.0") && hosts.every((host) => !isIPv6(host)))
  );
}
