import { outageOf, type OutageAnswer, type StakeView } from "../../diagnosis/validator/stake-view.ts";
import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { known, note, pill, sectionOf, tableOf } from "./page-parts.ts";
import { durationsOf, renderForm, type OfflineQuestion } from "./offline-question.ts";
import { instant } from "./answer-texts.ts";
import { leftText } from "../../diagnosis/wording.ts";

/** If the validator goes offline now: is it still paid? */
export function renderOutages(stake: StakeView, view: ValidatorView, question: OfflineQuestion): Html {
  const { at, network } = view;
  if (stake.left !== undefined || stake.reward.state === "none") return NOTHING;
  const answers = durationsOf(question).map((seconds) => outageOf(stake, at, seconds));
  const table = tableOf(answers, [
    [
      "Offline for",
      ({ seconds }) => (seconds === question.seconds ? safe`<mark>${span(seconds)}</mark>` : span(seconds)),
    ],
    ["Still paid", paid],
    [
      "Downtime left after it",
      ({ left, untilEnd }) => known(left, (some) => `${leftText(some)}${untilEnd ? ", the period ends first" : ""}`),
    ],
    ["Observers agree", agreeing],
  ]);
  const form = renderForm(question, {
    parameter: "offline",
    label: "Another duration",
    others: network === undefined ? NOTHING : safe`<input type="hidden" name="network" value="${network}">`,
  });
  const limit = `${limitOf(stake, at)} An outage lasts until the other validators are connected to the node again.`;
  return sectionOf(
    "offline",
    `If ${titleOf(view)} goes offline now, is it still paid?`,
    [table, note(limit), form],
    "offline",
  );
}

function paid({ paid, state }: OutageAnswer): Html {
  if (paid === undefined) return pill("unknown", "unknown");
  if (!paid) return pill("lost", "no");
  return state === "at_risk" ? pill("at_risk", "yes, but at risk") : pill("safe", "yes");
}

function agreeing({ paid, observersPaid, observers }: OutageAnswer): string {
  if (observers === 0) return "none known";
  return `${paid === true ? observersPaid : observers - observersPaid} of ${observers}`;
}

/** The longest outage after which it is still paid. */
function limitOf({ budget, end }: StakeView, at: number): string {
  if (budget === undefined) return "The longest outage is unknown.";
  if (budget < 0) return "The reward is lost already, with or without an outage.";
  if (end !== undefined && at + budget >= end) return "Offline until the end of the period, it is still paid.";
  return `Offline from now on, it loses the reward after ${span(budget)}, on ${instant(at + budget)}.`;
}
