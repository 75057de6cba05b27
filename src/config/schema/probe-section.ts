import { z } from "zod";
import { isRecord } from "../tree.ts";
import { always, duration, flag, integer, listOf, sentence, text } from "./fields.ts";

const PATTERN_EXPECTED = "a host and a port such as 10.0.0.7:9650 or node-*.example.org:9650";
/** A name or an IPv4 address with stars in it, or an IPv6 address in brackets; the port is always there. */
const PATTERN = /^([A-Za-z0-9*]([A-Za-z0-9.*-]*[A-Za-z0-9*])?|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/;
const MODULE_NAME = /^[A-Za-z0-9_-]{1,50}$/;

const pattern = z
  .string({ error: PATTERN_EXPECTED })
  .regex(PATTERN, { error: PATTERN_EXPECTED })
  .refine((value) => Number(value.slice(value.lastIndexOf(":") + 1)) <= 65_535, { error: PATTERN_EXPECTED })
  .describe("Host and port; * in the host stands for any characters but a dot.");

const module = z
  .strictObject({
    endpoints: z
      .array(text("Endpoint id such as info.peers."))
      .describe("Endpoint ids, as docs/reference/endpoints.md lists them."),
    network: flag("Whether the module tells of the whole network, and nothing of the node itself.").prefault(false),
  })
  .describe("What a probe with this module asks.");

/** The section `probe`. */
export function probeSection() {
  return z
    .strictObject({
      only: flag("Whether nodes are asked only when they are probed, and not polled beside that.").prefault(false),
      targets: listOf("Hosts and ports beside the configured nodes that may be probed. Default: none.", pattern),
      concurrency: integer("Probes at once, 1 to 1000; one more is turned away.", 1, 1000).prefault(50),
      timeout: duration(
        "Limit of a probe whose request does not say how long it may take.",
        [1, "1s"],
        [300, "5m"],
      ).prefault("10s"),
      timeout_offset: duration(
        "Part of the request's own limit that is kept for the answer.",
        [0, "0s"],
        [10, "10s"],
      ).prefault("500ms"),
      modules: z
        .record(z.string(), module)
        .nullish()
        .superRefine((value: unknown, context) => {
          if (!isRecord(value)) return;
          for (const name of Object.keys(value)) {
            if (MODULE_NAME.test(name)) continue;
            sentence(context, [name], "the name of a module must be made of letters, digits, _ and -");
          }
        }, always)
        .describe("Modules by name, beside or in place of node, validator, evm and network."),
    })
    .describe("How /probe looks at nodes when it is asked.");
}
