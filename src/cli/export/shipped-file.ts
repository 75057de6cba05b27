import { readFileSync } from "node:fs";

/** The dashboards by the name of their file without its ending. */
export const SHIPPED_DASHBOARDS = ["fleet", "node", "validator", "l1", "network", "treasury", "exporter"] as const;

/** A file of `grafana/` or `deploy/stack/` by its path in the repository. The build carries them compressed in the bundle. */
export function shippedFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}
