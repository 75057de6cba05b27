import { isOptional, metricsOf, sourceOf } from "../../topics/define/catalogue.ts";
import { TOPICS } from "../../topics/all/topics.ts";
import type { InterfaceState } from "./interfaces.ts";

/** Families that are listed by name. */
const LISTED = 2;

/** Families that need an interface. Comparisons are left out: they lack one node of several. */
function familiesOf({ serves }: Pick<InterfaceState, "serves">): readonly string[] {
  const topics = TOPICS.filter(
    ({ scope, needs }) =>
      scope !== "comparison" && Object.values(needs).some((need) => !isOptional(need) && serves(sourceOf(need).id)),
  );
  return topics.flatMap((topic) => metricsOf(topic).map(({ name }) => name));
}

/** `avax_a, avax_b and 3 more metrics`; `undefined` if no metric needs the interface. */
export function costOf(state: Pick<InterfaceState, "serves">): string | undefined {
  const families = familiesOf(state);
  if (families.length === 0) return undefined;
  const listed = families.length > LISTED + 1 ? families.slice(0, LISTED) : families.slice(0, -1);
  const rest = families.length > LISTED + 1 ? `${families.length - LISTED} more metrics` : families.at(-1);
  return listed.length === 0 ? rest : `${listed.join(", ")} and ${rest ?? ""}`;
}
