import { z } from "zod";

const EXPECTED = "a value such as 20%, 4d or 5";

/** The section `alerts`. The loader checks the names and values. */
export function alertsSection() {
  const value = z.union([z.string(), z.number()], { error: EXPECTED }).transform(String);
  return z
    .record(z.string(), value)
    .describe(
      "Thresholds of the alerts, by the names of `avax-exporter export rules --set=help`, and their durations as NAME.for. `doctor`, the status page and the findings use them; `export rules --config.file` writes them into the rules.",
    );
}
