import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import type { StartedNodes } from "./nodes-process.ts";

/** Speed up to which the default intervals are polled: their shortest is then a real second and a half. */
const DENSE_UP_TO = 10;
/** Part of the shortest interval that every deadline is at least, because the default one would be a fraction of a real second. */
const DEADLINE = 0.9;
const LONGEST_INTERVAL = 604_800;

/** Factor of the default intervals at a speed, so that polls come as often in real time at each one. */
export const slowerAt = (speed: number): number => Math.max(1, speed / DENSE_UP_TO);

/**
 * The configuration of the compressed soak: all nodes in one network, WebSockets, and both hosted services.
 * @param speed simulated seconds in a real one
 */
export function soakConfig({ nodes, hosted }: StartedNodes, speed: number): object {
  const { endpoints: all } = catalogueOf(TOPICS);
  const slower = slowerAt(speed);
  // Not that part of each interval: a fault that sends a byte a second would hold the connections of a node for hours.
  const deadline = Math.round(Math.min(...all.map(({ every }) => every)) * slower * DEADLINE);
  const endpoints = all.map((endpoint): [string, object] => {
    const every = Math.min(Math.round(endpoint.every * slower), LONGEST_INTERVAL);
    return [endpoint.id, { every: `${every}s`, timeout: `${Math.max(endpoint.timeout, deadline)}s` }];
  });
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
