import { outageOf, type OutageAnswer } from "../../diagnosis/validator/outages.ts";
import type { StakeView, VerdictState } from "../../diagnosis/validator/validator-view.ts";
import { span } from "../status-page/age.ts";
import { safe, type Html } from "../status-page/html.ts";
import { NOTHING, pill } from "./page.ts";
import { durationsOf, type Question } from "./question.ts";
import { instant } from "./words.ts";

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
  return safe`<section aria-labelledby="offline">
    <h2 id="offline">If ${title} goes offline now, is it still paid?</h2>
    <table>
      <thead><tr><th scope="col">Offline for</th><th scope="col">Still paid</th><th scope="col">Downtime left after it</th><th scope="col">Observers that agree</th></tr></thead>
      <tbody>${answers.map((answer) => renderAnswer(answer, answer.seconds === asked))}</tbody>
    </table>
    <p class="quiet">${limitOf(stake, at)} An outage lasts until the other validators are connected to the node again.</p>
    ${renderForm(question, path, network)}
  </section>`;
}

function renderAnswer(answer: OutageAnswer, isAsked: boolean): Html {
  const { seconds, left, untilEnd, observers } = answer;
  const rest =
    left === undefined
      ? "unknown"
      : left < 0
        ? `exceeded by ${span(-left)}`
        : `${span(left)}${untilEnd ? ", the period ends before" : ""}`;
  return safe`<tr${isAsked ? safe` class="asked"` : NOTHING}>
    <th scope="row">${span(seconds)}</th>
    <td>${pill(...paidWords(answer))}</td>
    <td>${rest}</td>
    <td>${observers === 0 ? "none known" : `${agreeing(answer)} of ${observers}`}</td>
  </tr>`;
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
