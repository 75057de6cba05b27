import { z } from "zod";
import { flag, text } from "./fields.ts";

/** One entry of `probe.modules`. */
export const probeModule = z
  .strictObject({
    endpoints: z
      .array(text("Endpoint id such as info.peers."))
      .describe("Endpoint ids, as docs/reference/endpoints.md lists them."),
    network: flag("Whether the module tells of the whole network, and nothing of the node itself.").prefault(false),
  })
  .describe("What a probe with this module asks.");

export type ProbeModuleSection = z.output<typeof probeModule>;
