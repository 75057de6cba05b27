import { catalogueOf } from "../../../src/catalogue/catalogue.ts";
import { TOPICS } from "../../../src/definitions/topics.ts";
import type { StartedNodes } from "./nodes-process.ts";

/** Factor of the default intervals, with which a day of twenty nodes would have more than a million polls. */
const SLOWER = 4;
const LONGEST_INTERVAL = 604_800;
const LONGEST_DEADLINE = 3_600;

/**
 * The configuration of the compressed soak: all nodes in one network, WebSockets, and both hosted services. A deadline is at least
 * a real second.
 * @param speed simulated seconds in a real one
 */
export function soakConfig({ nodes, hosted }: StartedNodes, speed: number): object {
  const endpoints = catalogueOf(TOPICS).endpoints.map(({ id, every, timeout }): [string, object] => [
    id,
    {
      every: `${Math.min(every * SLOWER, LONGEST_INTERVAL)}s`,
      timeout: `${Math.min(Math.max(timeout, speed), LONGEST_DEADLINE)}s`,
    },
  ]);
  return {
    nodes: nodes.map(({ name, url }) => ({ name, url })),
    endpoints: Object.fromEntries(endpoints),
    evm: { websocket: true },
    ...(hosted === undefined
      ? {}
      : {
          data_api: {
            url: hosted.dataUrl,
            chains: ["43114"],
            validators: nodes.slice(0, 3).map(({ nodeId }) => nodeId),
          },
          metrics_api: { url: hosted.metricsUrl, chains: ["43114", "total"], intervals: ["day", "hour"] },
        }),
  };
}
