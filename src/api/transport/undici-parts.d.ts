/**
 * The parts of undici that are used, by the files that they are in: its main file loads fetch, caches, mocks and proxies too, which
 * costs each start some 50 ms and 15 MB.
 */

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}

declare module "undici/lib/dispatcher/client.js" {
  export { Client as default } from "undici";
}

declare module "undici/lib/web/websocket/websocket.js" {
  export { WebSocket } from "undici";
}
