/** Why a probe was refused: a closed set, because it is a label value. */
export const REFUSALS = ["busy", "forbidden", "malformed", "module"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Counted events of probes. Durations in seconds. */
export type ProbeEvents = {
  readonly ended: (module: string, seconds: number, success: boolean) => void;
  readonly refused: (why: Refusal) => void;
};
