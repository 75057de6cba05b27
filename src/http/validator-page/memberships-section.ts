import type { L1View, StakeView } from "../../diagnosis/validator/stakes.ts";
import { span } from "../../config/base/age.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { pill, tableOf, timeOf } from "./page.ts";
import { amount, answerOf, leftText, percent, shortId } from "./words.ts";

/** Memberships that are listed. */
const LISTED = 20;

/** The memberships in permissioned and elastic subnets. */
export function renderSubnets(stakes: readonly StakeView[]): Html {
  if (stakes.length === 0) return NOTHING;
  return safe`<section aria-labelledby="subnets">
    <h2 id="subnets">Subnets</h2>
    ${tableOf(["Subnet", "Reward", "Downtime left", "Weight", "Ends"], stakes.slice(0, LISTED).map(subnetCells))}
  </section>`;
}

function subnetCells({
  subnet,
  subnetName,
  reward,
  budget,
  weight,
  end,
  left,
}: StakeView): ReadonlyArray<Html | string> {
  const until = left?.at ?? end;
  return [
    safe`<bdi>${subnetName ?? shortId(subnet)}</bdi>`,
    pill(reward.state, answerOf(reward)),
    reward.state === "none" ? "–" : budget === undefined ? "unknown" : leftText(budget),
    weight === undefined ? "unknown" : amount(weight),
    until === undefined ? "unknown" : timeOf(until),
  ];
}

/** The validations on L1s. */
export function renderL1(validations: readonly L1View[]): Html {
  if (validations.length === 0) return NOTHING;
  const more = validations.length - LISTED;
  return safe`<section aria-labelledby="l1">
    <h2 id="l1">L1s</h2>
    ${tableOf(
      ["L1", "Active", "Balance", "Lasts", "Weight", "Uptime", "Connected to"],
      validations.slice(0, LISTED).map(validationCells),
    )}
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "validation")} more</p>` : NOTHING}
  </section>`;
}

/** A balance that lasts no longer than this is low. Seconds. */
const SHORT = 7 * 86_400;

function validationCells({ subnet, subnetName, active, ...rest }: L1View): ReadonlyArray<Html | string> {
  const { balance, runway, weight, observers } = rest;
  const uptimes = observers.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
  const connections = observers.flatMap(({ connected }) => (connected === undefined ? [] : [connected]));
  return [
    safe`<bdi>${subnetName ?? shortId(subnet)}</bdi>`,
    active === undefined ? "unknown" : active ? pill("safe", "active") : pill("lost", "inactive"),
    balance === undefined ? "unknown" : `${amount(balance)} AVAX`,
    runwayText(runway),
    weight === undefined ? "unknown" : amount(weight),
    uptimes.length === 0 ? "unknown" : range(uptimes),
    connections.length === 0
      ? "unknown"
      : `${connections.filter(Boolean).length} of ${count(connections.length, "observer")}`,
  ];
}

function runwayText(runway: number | undefined): Html | string {
  if (runway === undefined) return "unknown";
  if (runway >= SHORT) return span(runway);
  return runway === 0 ? pill("lost", "used up") : pill("at_risk", span(runway));
}

function range(uptimes: readonly number[]): string {
  const [least, most] = [percent(Math.min(...uptimes)), percent(Math.max(...uptimes))];
  return least === most ? least : `${least} to ${most}`;
}
