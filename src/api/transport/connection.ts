/** Connection options of a server. Only `headers` and `tls` have secrets; messages contain neither. */
export type Connection = {
  /** Scheme, host, port and an optional path prefix; no trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions | undefined;
  /** Bytes; a larger body fails the poll with `too_large`. */
  readonly maxResponseBytes: number;
  /** Size of the connection pool: so many polls are under way at once, the others wait. */
  readonly connections: number;
  /** Expected `node-id` header. An answer without the header is accepted. */
  readonly expectNodeId?: string | undefined;
  /** Seconds for a connection with its handshake, at least the default of ten. */
  readonly connectTimeout?: number | undefined;
  /** Unix seconds: what is dated later than its answer is refused. Without it, as for printing, nothing is. */
  readonly now?: (() => number) | undefined;
};

export type TlsOptions = {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
};

/** The options without undefined values, which the client libraries refuse. */
export function definedTls(tls: TlsOptions | undefined): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(tls ?? {}).filter((entry): entry is [string, string | boolean] => entry[1] !== undefined),
  );
}
