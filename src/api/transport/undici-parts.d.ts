/**
 * Types for imports of single files of undici: its main file also loads fetch, caches, mocks and proxies, which adds about 50 ms
 * and 15 MB to each start.
 */

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import type { TLSSocket } from "node:tls";
  import type { buildConnector } from "undici";

  type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket | TLSSocket;
  /** The types of the main file leave out that the connector returns its socket. */
  const build: (options: buildConnector.BuildOptions) => Connect;
  export { build as default };
}

declare module "undici/lib/core/errors.js" {
  /** The classes that the other files of the library take when they load. */
  const errors: { HeadersOverflowError: new () => Error };
  export { errors as default };
}
