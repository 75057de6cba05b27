/** What no answer of a node may lead to: figures outside of their physical range, and labels that cannot be printed. */

/** 2015 and 2200, Unix seconds. */
const [EARLIEST, LATEST] = [1_420_070_400, 7_258_118_400];

/** Shares are computed in doubles. */
const ROUNDING = 1e-6;

/** Differences, and a budget that is overdrawn, can be negative. */
const SIGNED = /(_skew_seconds|_offset_seconds|_margin|_overstatement|_budget_remaining_seconds|_change_[a-z]+)$/;

/** Shares of something else than a whole: more than all of it is possible. */
const UNBOUNDED_RATIO = /^avax_(l1_|wallet_|node_peers_expected_ratio$)/;

/** Forks and upgrades from the first block on have the time of the genesis, which a private network chooses. */
const CHOSEN_TIMES = /^avax_(evm_fork|upgrade)_activation_timestamp_seconds$/;

/** What is compared with a threshold is infinite where it can never be below it. */
const UNLIMITED =
  /^avax_(node_(outage|crash_loop)_tolerance|validator_downtime_scarce|node_fork_timestamp|validator_removal_timestamp)_seconds$/;

/** Figures of a unit, sums of some thousand of them included. */
const MAXIMA: ReadonlyArray<readonly [family: RegExp, most: number]> = [
  [/_(peers|transactions|requests|connections)$/, 1e9],
  // Of a whole set.
  [/_delegators$/, 1e13],
  [/_gwei$/, 1e9],
  // A validator's own weight is a 64-bit integer of nAVAX.
  [/_avax(_total)?$/, 1e15],
  [/_gas_limit$/, 2 ** 63],
];

const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/** The problem with a sample of a node; `undefined` if it is sound. */
export function unsound(name: string, labels: Readonly<Record<string, string>>, value: number): string | undefined {
  for (const [label, text] of Object.entries(labels)) {
    if (CONTROL.test(text)) return `the label ${label} holds a control character: ${JSON.stringify(text.slice(0, 60))}`;
    if (text.length > 1_024) return `the label ${label} has ${text.length} characters`;
  }
  return outOfRange(name, value);
}

function outOfRange(name: string, value: number): string | undefined {
  const base = name.replace(/_(sum|count|bucket)$/, "");
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 && UNLIMITED.test(base) ? undefined : "infinite";
  if (SIGNED.test(base)) return Math.abs(value) > 1e12 ? `${value} is absurd` : undefined;
  if (base.endsWith("_ratio")) {
    const most = UNBOUNDED_RATIO.test(base) ? Infinity : 1 + ROUNDING;
    return value < 0 || value > most ? `a ratio of ${value}` : undefined;
  }
  if (base.endsWith("_timestamp_seconds")) {
    const least = CHOSEN_TIMES.test(base) ? 0 : EARLIEST;
    return value < least || value > LATEST ? `a time of ${value}` : undefined;
  }
  if (value < 0) return `a negative figure, ${value}`;
  // Sums of 64-bit weights are the largest; what can be named in a unit is far below.
  const most = MAXIMA.find(([family]) => family.test(base))?.[1] ?? 2 ** 75;
  if (value > most) return `${value} is more than can be`;
  return undefined;
}
