import type { Flags } from "./flags.ts";

/** What is wrong with the flags of the web side, in a sentence. */
export function webFlagsProblem({ "web.telemetry-path": path, "web.max-requests": most }: Flags): string | undefined {
  if (path !== undefined && !/^\/[^\s?#]*$/.test(path))
    return `--web.telemetry-path is a path such as /metrics, not ${JSON.stringify(path)}`;
  if (most !== undefined && !/^\d{1,9}$/.test(most))
    return `--web.max-requests is a number, 0 for no limit, not ${JSON.stringify(most)}`;
  return undefined;
}
