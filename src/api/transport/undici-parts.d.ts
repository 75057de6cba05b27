/**
 * Types for an import of a single file of undici: its main file also loads fetch, caches, mocks and proxies, which adds about 50 ms
 * and 15 MB to each start.
 */

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
