import { z } from "zod";
import { duration, flag } from "./fields.ts";

/** The section `endpoints`. The loader checks the endpoint ids. */
export function endpointsSection() {
  const settings = z
    .strictObject({
      every: duration("Time between two polls.", [1, "1s"], [604_800, "1w"]).optional(),
      timeout: duration("Deadline of a poll.", [0.1, "100ms"], [3600, "1h"]).optional(),
      enabled: flag("Whether it is polled.").optional(),
    })
    .nullable()
    .describe("Settings of one endpoint.")
    .transform((value) => value ?? {});
  return z
    .record(z.string(), settings)
    .describe("Changes to the defaults of endpoints, by endpoint id such as info.peers.");
}
