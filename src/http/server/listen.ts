import { once } from "node:events";
import type { Server } from "node:http";
import { isIPv6, type ListenOptions } from "node:net";
import { getSystemErrorMessage } from "node:util";
import { parseListenAddress } from "./parse-listen-address.ts";

/** Where a server listens: an address, or a socket that another program opened. */
export type ListenPlace = {
  /** For messages. */
  readonly text: string;
  /** Host of the address; undefined for all interfaces, and for a socket. */
  readonly host: string | undefined;
  readonly options: ListenOptions & { readonly fd?: number };
};

/** Throws a message for the operator when an address is malformed. */
export function placesOf(listen: readonly string[], sockets: readonly number[]): readonly ListenPlace[] {
  return [
    ...listen.map((text) => {
      const where = parseListenAddress(text);
      if (where === undefined) throw new Error(`listen address ${text}: expected host:port, :port or [IPv6]:port`);
      const { host, port } = where;
      return { text, host, options: { port, ...(host === undefined ? {} : { host }) } };
    }),
    ...sockets.map((fd) => ({ text: `the passed socket ${fd}`, host: undefined, options: { fd } })),
  ];
}

/** Rejects with a message for the operator when the place cannot be opened. */
export async function listen(server: Server, { text, options }: ListenPlace): Promise<void> {
  try {
    server.listen(options);
    await once(server, "listening");
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    const why = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new Error(`cannot listen on ${text}: ${why}`, { cause: error });
  }
}

/** Clients cannot connect to a wildcard address, so the loopback address replaces it. A passed Unix socket has its number. */
export function addressOf(server: Server, { text, host }: ListenPlace, secure: boolean): string {
  const bound = server.address();
  if (typeof bound === "string" || bound === null) return text;
  const given = host ?? (text.startsWith(":") ? undefined : bound.address);
  const name = given === undefined || given === "0.0.0.0" ? "127.0.0.1" : given === "::" ? "::1" : given;
  return `${secure ? "https" : "http"}://${isIPv6(name) ? `[${name}]` : name}:${bound.port}`;
}
