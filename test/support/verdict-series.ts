import { scarceDowntime, uptimeShortfall, verdictOf } from "../../src/topics/validators/reward-state.ts";
import { readingsIn } from "./readings.ts";

/** What the topic `reward` exports of a stake, from its figures. @param labels of the stake, as text */
export function verdictLines(
  labels: string,
  { left, whole, margin }: { readonly left?: number; readonly whole?: number; readonly margin?: number },
): readonly string[] {
  const line = (name: string, value: number | undefined) =>
    value === undefined ? [] : [`avax_validator_${name}{${labels}} ${value === Infinity ? "+Inf" : value}`];
  return [
    ...line("downtime_left_seconds", left),
    ...line("downtime_scarce_seconds", left === undefined ? undefined : scarceDowntime(left, whole)),
    ...line("downtime_excess_seconds", left === undefined ? undefined : Math.max(0, -left)),
    ...line("uptime_margin", margin),
    ...line("uptime_shortfall_ratio", margin === undefined ? undefined : uptimeShortfall({ left, whole, margin })),
  ];
}

/** Series with what the topic `reward` makes of the observers' budgets and of the requirement in them. */
export function withVerdicts(lines: readonly string[]): readonly string[] {
  const readings = readingsIn(lines.join("\n"));
  const found = Map.groupBy(readings("avax_validator_downtime_budget_remaining_seconds"), ({ labels }) =>
    ["network", "subnet", "node_id"].map((label) => `${label}="${labels[label] ?? ""}"`).join(","),
  );
  const more = [...found].flatMap(([stake, observed]) => {
    const same = ({ labels }: { readonly labels: Readonly<Record<string, string>> }) =>
      observed.some((one) => ["network", "subnet", "node_id"].every((label) => one.labels[label] === labels[label]));
    const valueOf = (name: string) => readings(`avax_validator_${name}`).find(same)?.value;
    const [whole, requirement] = [valueOf("downtime_budget_seconds"), valueOf("uptime_requirement_ratio")];
    const [start, end] = [valueOf("stake_start_timestamp_seconds"), valueOf("stake_end_timestamp_seconds")];
    const { left } = verdictOf(
      observed.map(({ value }) => ({
        ...{ uptime: undefined, attainable: undefined, margin: undefined },
        left: value,
        whole,
      })),
    );
    const isKnown = left !== undefined && requirement !== undefined && start !== undefined && end !== undefined;
    const attainable = isKnown ? Number((requirement + left / (end - start)).toFixed(12)) : undefined;
    const uptimes = readings("avax_validator_uptime_ratio").filter(same);
    const { uptime } = verdictOf(
      uptimes.map(({ value }) => ({ uptime: value, attainable: undefined, left: undefined, whole, margin: undefined })),
    );
    const margin =
      uptime === undefined || requirement === undefined ? undefined : Number((uptime - requirement).toFixed(12));
    return [
      ...verdictLines(stake, {
        ...(left === undefined ? {} : { left }),
        ...(whole === undefined ? {} : { whole }),
        ...(margin === undefined ? {} : { margin }),
      }),
      ...(attainable === undefined ? [] : [`avax_validator_attainable_uptime_ratio{${stake}} ${attainable}`]),
      ...(uptime === undefined ? [] : [`avax_validator_observed_uptime_ratio{${stake}} ${uptime}`]),
    ];
  });
  return [...lines, ...more];
}
