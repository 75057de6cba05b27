import type { Delegations } from "../../diagnosis/validator/observers.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { factList, momentOf } from "./page.ts";
import { amount, avax, percent } from "./words.ts";

/** When do the delegations end, and which are not rewarded? Only where the validator's own node lists some. */
export function renderDelegations({ at, nodes }: Pick<ValidatorView, "at" | "nodes">): Html {
  const listed = nodes.find(({ delegations }) => delegations !== undefined)?.delegations;
  if (listed === undefined || listed.all === 0) return NOTHING;
  const { within7d, within30d, within90d, commission, large } = listed;
  return safe`<section aria-labelledby="delegations">
    <h2 id="delegations">When do the delegations end?</h2>
    ${factList([
      ["Within 7 / 30 / 90 days", safe`${[within7d, within30d, within90d].map(amount).join(" / ")} AVAX`],
      ...(large === undefined || large.end <= at
        ? []
        : [["Next large one", safe`${percent(large.share)} of the weight, ${momentOf(large.end, at)}`] as const]),
      ["Commission, if all are rewarded", avax(commission)],
      ["Not rewarded at this uptime", unrewarded(listed)],
    ])}
    ${sentence(listed, at)}
  </section>`;
}

function unrewarded({ all, rewards, unrewarded: lost, recovery }: Delegations): Html | string | undefined {
  if (lost === undefined) return undefined;
  return recovery === undefined ? "none" : atStake(all, rewards);
}

function atStake(stake: number, reward: number | undefined): Html {
  return safe`${avax(stake)}${reward === undefined ? "" : ` with ${avax(reward)} of rewards`}`;
}

/** Which of them are judged before the uptime can recover. */
function sentence({ unrewarded: lost, unrewardedReward, recovery }: Delegations, at: number): Html {
  if (lost === undefined || recovery === undefined) return NOTHING;
  return safe`<p class="quiet">Each is judged at its own end. Lost are those that end before ${momentOf(recovery, at)}, when the uptime can suffice: ${lost === 0 ? "none" : atStake(lost, unrewardedReward)}.</p>`;
}
