import { outageOf, type OutageAnswer } from "../../diagnosis/validator/outages.ts";
import type { StakeView } from "../../diagnosis/validator/stakes.ts";
import type { VerdictState } from "../../diagnosis/validator/validator-view.ts";
import { span } from "../../config/base/age.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { pill, tableOf } from "./page.ts";
import { durationsOf, type Question } from "./question.ts";
import { instant, leftText } from "./words.ts";

type Outages = {
  readonly stake: StakeView;
  readonly at: number;
  readonly title: string;
  readonly question: Question;
  readonly path: string;
  readonly network: string | undefined;
};

/** If the validator goes offline now: is it still paid? */
export function renderOutages({ stake, at, title, question, path, network }: Outages): Html {
  if (stake.left !== undefined || stake.reward.state === "none") return NOTHING;
  const answers = durationsOf(question).map((seconds) => outageOf(stake, at, seconds));
  const asked = question.kind === "asked" ? question.seconds : undefined;
  return safe`<section class="offline" aria-labelledby="offline">
    <h2 id="offline">If ${title} goes offline now, is it still paid?</h2>
    ${tableOf(
      ["Offline for", "Still paid", "Downtime left after it", "Observers agree"],
      answers.map((answer) => cellsOf(answer, answer.seconds === asked)),
    )}
    <p class="quiet">${limitOf(stake, at)} An outage lasts until the other validators are connected to the node again.</p>
    ${renderForm(question, path, network)}
  </section>`;
}

function cellsOf(answer: OutageAnswer, isAsked: boolean): ReadonlyArray<Html | string> {
  const { seconds, left, untilEnd, observers } = answer;
  const rest = left === undefined ? "unknown" : `${leftText(left)}${untilEnd ? ", the period ends first" : ""}`;
  return [
    isAsked ? safe`<mark>${span(seconds)}</mark>` : span(seconds),
    pill(...paidWords(answer)),
    rest,
    observers === 0 ? "none known" : `${agreeing(answer)} of ${observers}`,
  ];
}

function paidWords({ paid, state }: OutageAnswer): readonly [VerdictState, string] {
  if (paid === undefined || state === undefined) return ["unknown", "unknown"];
  if (!paid) return ["lost", "no"];
  return state === "at_risk" ? ["at_risk", "yes, but at risk"] : ["safe", "yes"];
}

function agreeing({ paid, observersPaid, observers }: OutageAnswer): number {
  return paid === true ? observersPaid : observers - observersPaid;
}

/** The longest outage after which it is still paid. */
function limitOf({ budget, end }: StakeView, at: number): string {
  if (budget === undefined) return "The longest outage is unknown.";
  if (budget < 0) return "The reward is lost already, with or without an outage.";
  if (end !== undefined && at + budget >= end) return "Offline until the end of the period, it is still paid.";
  return `Offline from now on, it loses the reward after ${span(budget)}, on ${instant(at + budget)}.`;
}

function renderForm(question: Question, path: string, network: string | undefined): Html {
  const text = question.kind === "none" ? "" : question.text;
  const why = question.kind === "malformed" ? safe`<p class="wrong" id="why">${question.why}</p>` : NOTHING;
  const describedBy = question.kind === "malformed" ? safe` aria-invalid="true" aria-describedby="why"` : NOTHING;
  return safe`<form method="get" action="${path}#offline">
    <label for="duration">Another duration</label>
    <input id="duration" name="offline" value="${text}" maxlength="40" size="8" placeholder="6h" autocomplete="off"${describedBy}>
    ${network === undefined ? NOTHING : safe`<input type="hidden" name="network" value="${network}">`}
    <button>Answer</button>
    ${why}
  </form>`;
}
