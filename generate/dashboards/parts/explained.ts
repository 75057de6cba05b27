import type { Alert, Cause } from "../../../src/topics/define/alert.ts";
import { NODE_AWAY } from "../../../src/topics/define/causes.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { ALERT_SERIES } from "./alert-series.ts";

type Name = Alert["name"];
type Relation = Required<Pick<Cause, "equal" | "sourceMatchers" | "targetMatchers">> & {
  readonly causes: readonly Name[];
  readonly explained: Name[];
};

/**
 * Firing alerts without those that another firing alert explains, as Alertmanager sends them: `expr` is a selector of ALERTS, or
 * a product of such selectors and numbers.
 */
export function unexplained(expr: string): string {
  return [`(${expr})`, ...relations().map((relation) => `(${consequences(relation)})`)].join(" unless ");
}

/** `explainedBy` of all alerts; those with the same causes are one. */
function relations(): readonly Relation[] {
  const found = new Map<string, Relation>();
  for (const { name, explainedBy = [] } of ALERTS)
    for (const { equal, sourceMatchers = {}, targetMatchers = {}, causes } of bySubject(explainedBy)) {
      const key = JSON.stringify([equal, sourceMatchers, targetMatchers, causes]);
      const known = found.get(key);
      if (known !== undefined) known.explained.push(name);
      else found.set(key, { equal, sourceMatchers, targetMatchers, causes, explained: [name] });
    }
  return [...found.values()];
}

/** What explains most alerts about a node, so that it is in the query once. */
const AWAY: ReadonlySet<Name> = new Set(NODE_AWAY.map(({ alert }) => alert));

/** The causes of one alert by what must be equal. What explains every alert, the end of the exporter, ends their series, too. */
function bySubject(causes: readonly Cause[]) {
  const hasAway = causes.filter(({ alert }) => AWAY.has(alert)).length === AWAY.size;
  const subjects = Map.groupBy(
    causes.filter(({ equal }) => equal.length > 0),
    ({ alert, equal, sourceMatchers, targetMatchers }) =>
      JSON.stringify([equal, sourceMatchers, targetMatchers, hasAway && AWAY.has(alert)]),
  );
  return [...subjects.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, causes: [first, ...others].map(({ alert }) => alert).sort() }],
  );
}

function consequences({ equal, sourceMatchers, targetMatchers, causes, explained }: Relation): string {
  const target = where(ALERT_SERIES.alerts, { alertname: oneOf(explained), ...targetMatchers });
  return `${target} and on (${equal.join(", ")}) ${where(ALERT_SERIES.alerts, { alertname: oneOf(causes), alertstate: "firing", ...sourceMatchers })}`;
}

function oneOf(names: readonly string[]): string {
  const [only = ""] = names;
  return names.length === 1 ? only : `=~${names.join("|")}`;
}
