import type { Family } from "../../exposition/sample.ts";
import { renderSamples } from "../../exposition/format.ts";
import type { Probed } from "./probe.ts";

/** The families about the probe itself, which follow those of the node. */
export const PROBE_FAMILIES = {
  success: family(
    "probe_success",
    "1 when the node answered everything that the module asks; what it need not have does not count.",
  ),
  duration: family("probe_duration_seconds", "How long the probe took."),
  failed: family("probe_failed_polls", "Questions of the probe without an answer; no series when all were answered.", [
    "endpoint",
    "reason",
  ]),
} as const;

type ProbeFamily = Family & { readonly labels: readonly string[] };

function family(name: string, help: string, labels: readonly string[] = []): ProbeFamily {
  return { name, help, type: "gauge", labels };
}

/** The lines of a probe's own families. */
export function probeLines({ success, seconds, failures }: Probed) {
  const { success: ok, duration, failed } = PROBE_FAMILIES;
  return [
    { family: ok, text: renderSamples(ok, {}, [[{}, success]]).text },
    { family: duration, text: renderSamples(duration, {}, [[{}, seconds]]).text },
    {
      family: failed,
      text: renderSamples(
        failed,
        {},
        failures.map(({ endpoint, reason, polls }) => [{ endpoint, reason }, polls]),
      ).text,
    },
  ];
}
