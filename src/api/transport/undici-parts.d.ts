/**
 * The part of undici that is used, by the file that it is in: undici's main file loads fetch, caches, mocks and proxies too,
 * which costs each start some 50 ms and 15 MB.
 */

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
