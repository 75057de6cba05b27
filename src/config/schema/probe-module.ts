import { z } from "zod";
import { flag, text } from "./fields.ts";

/** One entry of `probe.modules`. */
export const probeModule = z
  .strictObject({
    endpoints: z
      .array(text("Endpoint id such as info.peers."))
      .describe("Endpoint ids, as docs/reference/endpoints.md lists them."),
    network: flag("Whether the module exports facts of the whole network instead of the node's own.").prefault(false),
  })
  .describe("Endpoints of a probe with this module.");

export type ProbeModuleSection = z.output<typeof probeModule>;
