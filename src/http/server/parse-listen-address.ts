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
