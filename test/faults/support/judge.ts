import type { Series } from "../../e2e/support/exposition.ts";
import { accepted, PACE, POLLED, SIGNALS, type Polled, type Row } from "./row.ts";
import { unsound } from "./sanity.ts";

/** Names of the nodes that are well in each scene. */
export const WELL = ["well-1", "well-2"] as const;

export type Endpoint = {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly lastSuccess?: number;
  readonly error?: { readonly reason: string; readonly message: string };
};
export type Status = {
  readonly targets: ReadonlyArray<{ readonly name: string; readonly endpoints: readonly Endpoint[] }>;
};

/** A scrape and the state of the polls. */
export type Moment = {
  /** Unix seconds when it was requested. */
  readonly at: number;
  readonly text: string;
  readonly series: ReadonlyMap<string, Series>;
  readonly endpointsOf: (name: string) => readonly Endpoint[];
  /** The value of the first series of a family. */
  readonly value: (name: string) => number | undefined;
  /** Whether all polls of a node succeeded. */
  readonly isWhole: (name: string) => boolean;
  readonly failing: (names: readonly string[]) => string;
};

export type Evidence = {
  /** How many times longer the intervals are than two seconds. */
  readonly slower: number;
  readonly before: Moment;
  /** After the transition into the fault. */
  readonly early: Moment;
  readonly during: Moment;
  /** Seconds by row; what was not as before at the last look, of a row that did not recover. */
  readonly recovered: ReadonlyMap<string, number | readonly string[]>;
  readonly stderr: string;
};

/** The problems of each row; empty for a row that holds. */
export type Verdicts = ReadonlyMap<string, readonly string[]>;

/** Seconds: two intervals, the deadline, and room for a busy machine. */
const FRESH = 6.5 * PACE;
/** Seconds between two looks at the recovery, and the time that a look takes. */
const SAMPLING = 0.75;
/** Lines that one node can log in a scene. */
const MOST_LINES = 12;
/** Characters of the message of a failure. */
const MOST_MESSAGE = 700;

export function judge(rows: readonly Row[], evidence: Evidence): Verdicts {
  const byNode = seriesByNode(evidence.during);
  const lines = linesByNode(evidence.stderr);
  return new Map(
    rows.map((row) => [
      row.id,
      [
        ...outcomes(row, evidence.during, evidence.slower),
        ...reasons(row, evidence),
        ...signals(row, evidence),
        ...upOf(row, evidence.during),
        ...shown(row, evidence.during),
        ...nonsense(byNode.get(row.id) ?? []),
        ...logged(lines.get(row.id) ?? []),
        ...recovery(row, evidence),
      ],
    ]),
  );
}

/** The state of each endpoint at the end of the fault. */
function outcomes(row: Row, during: Moment, slower: number): readonly string[] {
  return during.endpointsOf(row.id).flatMap((endpoint) => {
    const expected = accepted(row, endpoint.id as Polled);
    const outcome = outcomeOf(endpoint, during.at, slower);
    const message = endpoint.error?.message ?? "";
    const problems = message.length > MOST_MESSAGE ? [`${endpoint.id}: a message of ${message.length} characters`] : [];
    if (/[\p{Cc}\p{Cf}]/u.test(message)) problems.push(`${endpoint.id}: control characters in its message`);
    if (!(expected as readonly string[]).includes(outcome))
      problems.push(`${endpoint.id}: ${outcome} instead of ${expected.join(" or ")} (${message.slice(0, 120)})`);
    return problems;
  });
}

function outcomeOf({ state, error, lastSuccess }: Endpoint, at: number, slower: number): string {
  if (state === "failing") return error?.reason ?? "failing";
  if (state === "ok" && at - (lastSuccess ?? 0) > FRESH * slower)
    return `stale for ${(at - (lastSuccess ?? 0)).toFixed(1)} s`;
  return state;
}

/** A busy machine makes some answers late. */
const NOISE: Readonly<Record<string, number>> = { timeout: 5 };

/** Failures are counted under the expected reasons alone. */
function reasons(row: Row, { early, during }: Evidence): readonly string[] {
  const expected = new Set<string>(POLLED.flatMap((id) => accepted(row, id)));
  const counted = (moment: Moment) =>
    new Map(
      [...moment.series.values()]
        .filter(({ name, labels }) => name === "avax_poll_failures_total" && labels["node"] === row.id)
        .map(({ labels, value }) => [labels["reason"] ?? "", value]),
    );
  const start = counted(early);
  return [...counted(during)]
    .filter(([reason, value]) => !expected.has(reason) && value - (start.get(reason) ?? 0) > (NOISE[reason] ?? 0))
    .map(([reason, value]) => `${value - (start.get(reason) ?? 0)} failures counted as ${reason}`);
}

const isNetworkScope = (id: Polled): boolean => id === "platform.getCurrentValidators";

/** The first series of a family about a node, or about its network. */
function find(moment: Moment, row: Row, family: string, id?: Polled): Series | undefined {
  const ofNetwork = id !== undefined && isNetworkScope(id);
  for (const each of moment.series.values())
    if (each.name === family && (ofNetwork ? each.labels["network"] === row.id : each.labels["node"] === row.id))
      return each;
  return undefined;
}

const isChanging = (row: Row, family: string): boolean =>
  row.changes?.some((prefix) => family.startsWith(prefix)) === true ||
  row.absent?.some((series) => series.startsWith(family)) === true ||
  family in (row.shows ?? {});

type Signal = {
  readonly id: Polled;
  readonly family: string;
  readonly was: number | undefined;
  readonly is: number | undefined;
};

/** The series that stand for the answers of a node, at two moments. The network of one that has no name of ours has others. */
function signalsOf(row: Row, before: Moment, now: Moment): readonly Signal[] {
  return POLLED.flatMap((id) => {
    const family = SIGNALS[id];
    if (family === undefined || (isNetworkScope(id) && row.node !== undefined && "network" in row.node)) return [];
    return [{ id, family, was: find(before, row, family, id)?.value, is: find(now, row, family, id)?.value }];
  });
}

const changed = (signals: readonly Signal[]): readonly string[] =>
  signals.filter(({ was, is }) => was !== is).map(({ family, was, is }) => `${family} is ${is} instead of ${was}`);

/** What failed is absent after three intervals; what answers keeps its value. */
function signals(row: Row, { before, during }: Evidence): readonly string[] {
  const all = signalsOf(row, before, during);
  const lost = all.filter(({ id, is }) => !accepted(row, id).includes("ok") && is !== undefined);
  const kept = all.filter(({ id, family }) => accepted(row, id).join() === "ok" && !isChanging(row, family));
  return [...lost.map(({ family, is }) => `${family} is still ${is}`), ...changed(kept)];
}

function upOf(row: Row, during: Moment): readonly string[] {
  const up = find(during, row, "avax_node_up")?.value;
  const silent = during.at - began(during, row);
  // Between the thirty seconds and the next poll it is a matter of chance.
  const isOpen = row.down === "any" || (row.down === "after 30 s" && silent > 29 && silent < 31 + 4 * PACE);
  if (isOpen) return [];
  const expected = row.down === "at once" ? 0 : row.down === "no" ? 1 : silent > 30 ? 0 : 1;
  return up === expected ? [] : [`avax_node_up is ${up} instead of ${expected}`];
}

/** Unix seconds of the last answer before the fault. */
function began(during: Moment, row: Row): number {
  return Math.max(...during.endpointsOf(row.id).map(({ lastSuccess }) => lastSuccess ?? 0));
}

function shown(row: Row, during: Moment): readonly string[] {
  const own = [...during.series.values()].filter(
    ({ labels }) => labels["node"] === row.id || labels["network"] === row.id,
  );
  const values = Object.entries(row.shows ?? {}).flatMap(([name, value]) => {
    const found = own.find((each) => each.name === name)?.value;
    return found === value ? [] : [`${name} is ${found} instead of ${value}`];
  });
  const left = (row.absent ?? []).flatMap((wanted) => {
    const [, name = "", label = "", text = ""] = /^(\w+)(?:\{(\w+)="(.*)"\})?$/.exec(wanted) ?? [];
    const found = own.find((each) => each.name === name && (label === "" || each.labels[label] === text));
    return found === undefined ? [] : [`${wanted} is ${found.value} instead of absent`];
  });
  return [...values, ...left];
}

function nonsense(series: readonly Series[]): readonly string[] {
  const found = series.flatMap(({ name, labels, value }) => {
    const problem = unsound(name, labels, value);
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
  const each = [...new Set(found)];
  return each.length > 8 ? [...each.slice(0, 8), `and ${each.length - 8} more series out of their range`] : each;
}

type Line = {
  readonly level: string;
  readonly msg: string;
  readonly node?: string;
  readonly err?: { message?: string };
};

function linesByNode(stderr: string): ReadonlyMap<string, readonly Line[]> {
  const lines = stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);
  return Map.groupBy(lines, ({ node }) => node ?? "");
}

function logged(lines: readonly Line[]): readonly string[] {
  const errors = lines.filter(({ level }) => level === "error");
  const problems = [...new Set(errors.map(({ msg, err }) => `logged as an error: ${msg} (${err?.message ?? ""})`))];
  return lines.length > MOST_LINES ? [...problems, `${lines.length} lines in the log`] : problems;
}

function recovery(row: Row, { recovered, slower }: Evidence): readonly string[] {
  if (row.recovery === undefined) return [];
  const took = recovered.get(row.id) ?? ["nothing"];
  if (typeof took !== "number")
    return [`not recovered within the patience of the scene: ${took.slice(0, 4).join("; ")}`];
  // One interval of two seconds is part of it.
  const most = (row.recovery + 2 * (slower - 1)) * PACE;
  return took <= most + SAMPLING ? [] : [`recovered after ${took.toFixed(1)} s instead of ${most} s`];
}

/** Whether a series of a node that stands for an answer is still missing. */
export function lacksSignals(moment: Moment, name: string): boolean {
  const own = signalsOf({ id: name } as Row, moment, moment).filter(({ id }) => !isNetworkScope(id));
  return own.some(({ is }) => is === undefined);
}

/** What about a node is not as before the fault. */
export function unlikeBefore(row: Row, before: Moment, moment: Moment, ended: number): readonly string[] {
  const polls = moment
    .endpointsOf(row.id)
    .filter(({ state, lastSuccess }) => state !== "ok" || (lastSuccess ?? 0) < ended)
    .map(({ id, state }) => `${id} is ${state === "ok" ? "not polled again" : state}`);
  const whole = polls.length > 0 || moment.isWhole(row.id) ? [] : ["endpoints are missing"];
  const up = find(moment, row, "avax_node_up")?.value;
  return [
    ...polls,
    ...whole,
    ...(up === 1 ? [] : [`avax_node_up is ${up}`]),
    ...changed(signalsOf(row, before, moment)),
  ];
}

/** The problems of the nodes that are well, and of the process. */
export function judgeWell(before: Moment, moment: Moment, slower: number): readonly string[] {
  const problems: string[] = [];
  for (const name of WELL) {
    for (const endpoint of moment.endpointsOf(name)) {
      const outcome = outcomeOf(endpoint, moment.at, slower);
      if (outcome !== "ok") problems.push(`${name} ${endpoint.id}: ${outcome}`);
    }
    const own = signalsOf({ id: name } as Row, before, moment).filter(({ id }) => !isNetworkScope(id));
    problems.push(...changed(own).map((each) => `${name} ${each}`));
  }
  for (const each of moment.series.values()) {
    const isDefect = /^avax_exporter_defects_total$/.test(each.name);
    if (isDefect && each.value > 0) problems.push(`${each.name}${JSON.stringify(each.labels)} is above 0`);
  }
  return problems;
}

/** The series about each node and its network, by the name of the row. */
function seriesByNode(moment: Moment): ReadonlyMap<string, readonly Series[]> {
  return Map.groupBy(moment.series.values(), ({ labels }) => labels["node"] ?? labels["network"] ?? "");
}
