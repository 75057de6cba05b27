/** How to reach a server. Secrets are in `headers` and `tls` alone; neither is ever part of a message. */
export type Connection = {
  /** Scheme, host, port and an optional path prefix; no trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions | undefined;
  /** Bytes of a body; a larger one fails the poll with `too_large`. */
  readonly maxResponseBytes: number;
  /** Sockets kept to this server. */
  readonly connections: number;
  /** Every answer must carry this `node-id` header, when both are there. */
  readonly expectNodeId?: string | undefined;
};

export type TlsOptions = {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
};

/** The options that are there, as the client takes them. */
export function definedTls(tls: TlsOptions | undefined): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(tls ?? {}).filter((entry): entry is [string, string | boolean] => entry[1] !== undefined),
  );
}
