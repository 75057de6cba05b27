import { z } from "zod";
import type { Resource } from "../../api/endpoint.ts";
import { createClient } from "../../api/transport/client.ts";
import { bounded } from "../../api/bounded.ts";
import { KNOWN_FAMILIES } from "../../api/unknown/known-families.ts";
import type { NodeConfig } from "../../config/config.ts";
import { attemptOf } from "../init/attempt.ts";

/**
 * Families of a node's own `/ext/metrics` that no recorded release has. The exporter never polls it, as Prometheus scrapes it, so that
 * only `doctor --unknown` asks.
 */

const native: Resource<string> = {
  name: "GET /ext/metrics",
  path: "/ext/metrics",
  about: "The node's own metrics.",
  result: z.string(),
  text: true,
};

/** Seconds: a node whose plugin hangs does not answer. */
const TIMEOUT = 10;
/** New families of one node. */
const MOST = 1000;
/** The prefix of a VM that is no part of AvalancheGo: its families are its own. */
const OF_VM = /^avalanche_[1-9A-HJ-NP-Za-km-z]{43,52}_/;

/** The new families of a node; `undefined` where it does not serve its metrics. */
export async function unknownFamilies(node: NodeConfig): Promise<readonly string[] | undefined> {
  const client = createClient({ ...node, expectNodeId: node.nodeId });
  try {
    const { value } = await attemptOf(client, TIMEOUT)((api) => api.get(native));
    return value === undefined ? undefined : newFamilies(value);
  } finally {
    await client.close().catch(() => undefined);
  }
}

/** The families of a text of metrics that are new. */
export function newFamilies(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, name = ""] of text.matchAll(/^# TYPE (\S+)/gm)) {
    const [, group = "", rest = ""] = /^([a-z0-9]+_[a-z0-9]+)_(.+)$/i.exec(name) ?? [];
    const isKnown = KNOWN_FAMILIES[group]?.split(" ").includes(rest) === true;
    if (!isKnown && !OF_VM.test(name) && found.size < MOST) found.add(bounded(name));
  }
  return [...found];
}
