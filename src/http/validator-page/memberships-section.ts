import type { L1View, StakeView } from "../../diagnosis/validator/validator-view.ts";
import { span } from "../status-page/age.ts";
import { safe, type Html } from "../status-page/html.ts";
import { count } from "../status-page/status-view.ts";
import { NOTHING, pill, timeOf } from "./page.ts";
import { amount, answerOf, percent, shortId } from "./words.ts";

/** Memberships that are listed. */
const LISTED = 20;

/** The memberships in permissioned and elastic subnets. */
export function renderSubnets(stakes: readonly StakeView[]): Html {
  if (stakes.length === 0) return NOTHING;
  return safe`<section aria-labelledby="subnets">
    <h2 id="subnets">Subnets</h2>
    <table>
      <thead><tr><th scope="col">Subnet</th><th scope="col">Reward</th><th scope="col">Downtime left</th><th scope="col">Weight</th><th scope="col">Ends</th></tr></thead>
      <tbody>${stakes.slice(0, LISTED).map(renderSubnet)}</tbody>
    </table>
  </section>`;
}

function renderSubnet({ subnet, subnetName, reward, budget, weight, end, left }: StakeView): Html {
  const until = left?.at ?? end;
  return safe`<tr>
    <th scope="row"><bdi>${subnetName ?? shortId(subnet)}</bdi></th>
    <td>${pill(reward.state, answerOf(reward))}</td>
    <td>${reward.state === "none" ? "–" : budget === undefined ? "unknown" : budget < 0 ? `exceeded by ${span(-budget)}` : span(budget)}</td>
    <td>${weight === undefined ? "unknown" : amount(weight)}</td>
    <td>${until === undefined ? "unknown" : timeOf(until)}</td>
  </tr>`;
}

/** The validations on L1s. */
export function renderL1(validations: readonly L1View[]): Html {
  if (validations.length === 0) return NOTHING;
  const more = validations.length - LISTED;
  return safe`<section aria-labelledby="l1">
    <h2 id="l1">L1s</h2>
    <table>
      <thead><tr><th scope="col">L1</th><th scope="col">Active</th><th scope="col">Balance</th><th scope="col">Lasts</th><th scope="col">Weight</th><th scope="col">Uptime</th><th scope="col">Connected to</th></tr></thead>
      <tbody>${validations.slice(0, LISTED).map(renderValidation)}</tbody>
    </table>
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "validation")} more</p>` : NOTHING}
  </section>`;
}

/** A balance that lasts no longer than this is low. Seconds. */
const SHORT = 7 * 86_400;

function renderValidation({ subnet, subnetName, active, balance, runway, weight, observers }: L1View): Html {
  const uptimes = observers.flatMap(({ uptime }) => (uptime === undefined ? [] : [uptime]));
  const connections = observers.flatMap(({ connected }) => (connected === undefined ? [] : [connected]));
  return safe`<tr>
    <th scope="row"><bdi>${subnetName ?? shortId(subnet)}</bdi></th>
    <td>${active === undefined ? "unknown" : active ? pill("safe", "active") : pill("lost", "inactive")}</td>
    <td>${balance === undefined ? "unknown" : `${amount(balance)} AVAX`}</td>
    <td>${runway === undefined ? "unknown" : runway < SHORT ? pill(runway === 0 ? "lost" : "at_risk", span(runway)) : span(runway)}</td>
    <td>${weight === undefined ? "unknown" : amount(weight)}</td>
    <td>${uptimes.length === 0 ? "unknown" : range(uptimes)}</td>
    <td>${connections.length === 0 ? "unknown" : `${connections.filter(Boolean).length} of ${count(connections.length, "observer")}`}</td>
  </tr>`;
}

function range(uptimes: readonly number[]): string {
  const [least, most] = [percent(Math.min(...uptimes)), percent(Math.max(...uptimes))];
  return least === most ? least : `${least} to ${most}`;
}
