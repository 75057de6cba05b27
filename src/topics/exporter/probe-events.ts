import type { Reason } from "../../api/reasons.ts";
import type { Sample } from "../../exposition/sample.ts";

/** Why a probe was refused: a closed set, because it is a label value. */
export const REFUSALS = ["busy", "forbidden", "malformed", "module"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Counted events of probes. Durations in seconds. */
export type ProbeEvents = {
  readonly ended: (module: string, seconds: number, success: boolean) => void;
  readonly refused: (why: Refusal) => void;
};

/** The result of a probe. */
export type ProbeResult = {
  /** Whether every poll succeeded. */
  readonly success: boolean;
  readonly seconds: number;
  /** Failed polls, by endpoint and reason. */
  readonly failures: readonly ProbeFailure[];
};

export type ProbeFailure = { readonly endpoint: string; readonly reason: Reason; readonly polls: number };

function family(
  name: string,
  help: string,
  labels: readonly string[],
  read: (probed: ProbeResult) => readonly Sample[],
) {
  return { name, help, type: "gauge", labels, read } as const;
}

/** The families about a probe itself, which follow those of its node. */
export const PROBE_FAMILIES = [
  family(
    "probe_success",
    "1 when every poll of the module succeeded; an optional endpoint that the node lacks does not count.",
    [],
    ({ success }) => [[{}, success]],
  ),
  family("probe_duration_seconds", "Duration of the probe.", [], ({ seconds }) => [[{}, seconds]]),
  family(
    "probe_failed_polls",
    "Failed polls of the probe; absent when all succeeded.",
    ["api_endpoint", "reason"],
    ({ failures }) => failures.map(({ endpoint, reason, polls }) => [{ api_endpoint: endpoint, reason }, polls]),
  ),
];
