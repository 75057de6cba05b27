/** Connection options of a server. Only `headers` and `tls` have secrets; messages contain neither. */
export type Connection = {
  /** Scheme, host, port and an optional path prefix; no trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions | undefined;
  /** Bytes; a larger body fails the poll with `too_large`. */
  readonly maxResponseBytes: number;
  /** So many polls are under way at once, each on its connection; the others wait. */
  readonly connections: number;
  /** Expected `node-id` header. An answer without the header is accepted. */
  readonly expectNodeId?: string | undefined;
  /** Whether another one is accepted all the same, as that of a standby. */
  readonly acceptsNodeId?: ((nodeId: string) => boolean) | undefined;
  /** Seconds for a connection with its handshake, at least the default of ten. */
  readonly connectTimeout?: number | undefined;
  /** Unix seconds: what is dated later than its answer is refused. Without it, as for printing, nothing is. */
  readonly now?: (() => number) | undefined;
  /** Proxy of all requests, with its credentials. */
  readonly proxyUrl?: string | undefined;
  /** Hosts that are reached without the proxy, separated by commas. */
  readonly noProxy?: string | undefined;
};

export type TlsOptions = {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
};

/**
 * Milliseconds for one address of a name that has several. The runtime's 250 ms are less than a connection to another continent takes;
 * the whole time would leave nothing for the next address where the first one is silent.
 */
const ADDRESS_TIMEOUT = 2500;

/** The options of a socket, without undefined values, which the client libraries refuse. */
export function socketOptions(tls: TlsOptions = {}): Record<string, string | boolean | number> {
  const given = Object.entries(tls).filter((entry): entry is [string, string | boolean] => entry[1] !== undefined);
  return { autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT, ...Object.fromEntries(given) };
}
