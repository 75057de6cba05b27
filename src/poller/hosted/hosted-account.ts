import type { Service } from "../../api/hosted/hosted.ts";
import type { HostedEndpointRecord, ServiceRecord } from "../../self/hosted-record.ts";
import { lateness, type HostedTally, type Question } from "./hosted-question.ts";

type Facts = Pick<ServiceRecord, "up" | "perMinute" | "perDay" | "spent" | "demand" | "pausedUntil"> & {
  readonly hasKey: boolean;
};

/** What the exporter knows of its own work with a service. */
export function recordOf(
  service: Service,
  questions: readonly Question[],
  tallies: ReadonlyMap<string, HostedTally>,
  now: number,
  { hasKey, ...facts }: Facts,
): ServiceRecord {
  const due = questions.filter((each) => !each.running && each.next < now - 1);
  const tried = questions.some(({ lastAttempt }) => lastAttempt !== undefined);
  const groups = Map.groupBy(questions, ({ endpoint }) => endpoint.id);
  return {
    service,
    ...facts,
    keyAccepted: hasKey && tried ? !questions.some(({ error }) => error?.reason === "unauthorized") : undefined,
    postponed: due.length,
    overdue: due.reduce((most, each) => Math.max(most, lateness(each, now)), 0),
    endpoints: [...groups].map(([id, group]) => endpointOf(id, group, tallies.get(id))),
  };
}

function endpointOf(id: string, group: readonly Question[], tally: HostedTally | undefined): HostedEndpointRecord {
  const counted = group.filter(({ unsupported }) => !unsupported);
  const asked = counted.filter(({ lastAttempt }) => lastAttempt !== undefined);
  const failing = asked.filter(({ error }) => error !== undefined).length;
  const successes = counted.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [lastSuccess]));
  const isComplete = successes.length > 0 && successes.length === counted.length;
  return {
    id,
    every: group[0]?.every ?? 0,
    questions: group.length,
    up: asked.length === 0 ? undefined : failing === 0,
    failing,
    truncated: group.filter(({ truncated }) => truncated).length,
    lastSuccess: isComplete ? successes.reduce((a, b) => Math.min(a, b)) : undefined,
    requests: tally?.requests ?? 0,
    failures: tally?.failures ?? new Map(),
  };
}
