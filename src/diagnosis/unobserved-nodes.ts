import { remedyFor } from "../api/remedy-for.ts";
import { REASONS, type Failure } from "../api/reasons.ts";
import type { TargetStatus } from "../poller/poll/status.ts";
import type { DiagnosisReport } from "./finding.ts";
import { amount, listed, paragraph } from "./wording.ts";

/** Failed polls that are listed. Nodes with the same endpoint and error count as one. */
const LISTED = 20;

/**
 * Names of the nodes that cannot be called healthy: never polled, without any answer, or with endpoints that were not polled
 * before the deadline. A node that is down is not one of them.
 */
export function unobservedNodes({ status, nodes }: DiagnosisReport): readonly string[] {
  const targets = new Map(status.targets.map((target) => [target.name, target]));
  const names = nodes.map(({ name }) => name);
  return names.filter((name) => {
    const { up, endpoints = [] } = targets.get(name) ?? {};
    return up === undefined || (up && endpoints.some(({ state }) => state === "waiting"));
  });
}

/** The section about nodes, endpoints and conditions without a result. */
export function unobservedLines(report: DiagnosisReport): readonly string[] {
  const { status, diagnosis, complete } = report;
  const nodes = unobservedNodes(report);
  const failed = status.targets.flatMap((target) => failuresOf(target).map((what) => ({ name: target.name, what })));
  const lines = [...Map.groupBy(failed, ({ what }) => what)].map(
    ([what, same]) => `${listed(same.map(({ name }) => name))}: ${what}`,
  );
  const items = [
    ...(complete ? [] : ["deadline reached before all polls ended"]),
    ...(nodes.length === 0 ? [] : [`${amount(nodes.length, "node")}: ${listed(nodes)}`]),
    ...lines.slice(0, LISTED),
    ...(lines.length > LISTED ? [`and ${lines.length - LISTED} more failures`] : []),
    ...diagnosis.failed.map(({ alert, why }) => `${alert}: ${why}`),
    `judged by Prometheus alone: ${diagnosis.ofPrometheus.join(", ")}`,
  ];
  return ["Not observed:", ...items.flatMap((item) => paragraph("-", item, "  ")), ""];
}

/** The reason of a failure; of a certificate what is wrong with it. */
function whyOf({ reason, message }: Failure): string {
  return `${reason}: ${reason === "tls" ? message : REASONS[reason]}`;
}

/** The failed polls of a node: one line for each reason. */
function failuresOf({ url, endpoints }: TargetStatus): readonly string[] {
  const failed = endpoints
    .filter(({ state }) => state === "failing" || state === "waiting")
    .map(({ id, key, error }) => ({
      poll: key === "" ? id : `${id} ${key}`,
      why: error === undefined ? "no answer in time" : whyOf(error),
    }));
  return [...Map.groupBy(failed, ({ why }) => why)].flatMap(([why, same]) => {
    if (same.length === endpoints.length && same.length > 1) {
      const error = endpoints[0]?.error;
      const remedy = error === undefined ? undefined : remedyFor(url, error);
      return [`all ${same.length} polls: ${why}${remedy === undefined ? "" : `; ${remedy}`}`];
    }
    return [`${listed(same.map(({ poll }) => poll))}: ${why}`];
  });
}
