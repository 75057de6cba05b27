import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { StakeView } from "../../diagnosis/validator/stakes.ts";
import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import type { About } from "../dependencies.ts";
import { boardLink } from "../status-page/links.ts";
import { span } from "../../config/base/age.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { renderDelegations } from "./delegations-section.ts";
import { renderL1, renderSubnets } from "./memberships-section.ts";
import { renderNetworkView } from "./network-section.ts";
import { renderOutages } from "./outages-section.ts";
import { factList, pageOf, pill, timeOf } from "./page.ts";
import { problemsOf, renderProblems } from "./problems-section.ts";
import type { Question } from "./question.ts";
import { renderStake, renderUpgrade } from "./stake-section.ts";
import { answerOf, leftText, percent, reasonsOf } from "./words.ts";

type ValidatorPage = {
  readonly view: ValidatorView;
  /** Without it the page has no problems. */
  readonly diagnosis: Diagnosis | undefined;
  readonly question: Question;
  /** Path of this page without its query. */
  readonly path: string;
  /** The network of the query, which a form has to keep. */
  readonly network: string | undefined;
  readonly about: About;
};

/** The page of one validator: one document without a script. */
export function renderValidatorPage({ view, diagnosis, question, path, network, about }: ValidatorPage): string {
  const stake = mainStake(view);
  const others = view.stakes.filter((each) => each !== stake);
  const title = titleOf(view);
  return pageOf(
    `${title}: ${answerOf(view.reward).toLowerCase()}`,
    view.at,
    safe`
    ${renderTitle(view, title, diagnosis, about)}
    ${renderVerdict(view, title)}
    <div class="pair narrow-wide">
      ${stake === undefined ? NOTHING : renderDowntime(stake, view.at)}
      ${stake === undefined ? NOTHING : renderOutages({ stake, at: view.at, title, question, path, network })}
    </div>
    <div class="pair">
      ${stake === undefined ? NOTHING : renderStake(stake, view.at)}
      ${renderUpgrade(view)}
    </div>
    ${renderDelegations(view)}
    ${renderNetworkView(stake, view)}
    ${renderSubnets(others)}
    ${renderL1(view.l1)}
    ${renderProblems(diagnosis, view)}`,
  );
}

/** The stake that the page is about: the first with a reward, else the first one. */
function mainStake({ stakes }: ValidatorView): StakeView | undefined {
  return stakes.find(({ reward }) => reward.reason !== "no_reward") ?? stakes[0];
}

function renderTitle(view: ValidatorView, title: string, diagnosis: Diagnosis | undefined, about: About): Html {
  const { nodeId, network, nodes } = view;
  const problems = diagnosis === undefined ? 0 : problemsOf(diagnosis, view).length;
  const polled = nodes.map(({ node }) => safe`<a href="/?q=${encodeURIComponent(node)}"><bdi>${node}</bdi></a> `);
  return safe`<h1><bdi>${title}</bdi></h1>
    <p class="facts">
      ${nodeId === undefined || nodeId === title ? NOTHING : safe`<span><code>${nodeId}</code></span>`}
      ${network === undefined ? NOTHING : safe`<span><bdi>${network}</bdi></span>`}
      ${polled.length === 0 ? NOTHING : safe`<span>polled as ${polled}</span>`}
      ${problems === 0 ? NOTHING : safe`<span><a href="#problems">${count(problems, "current problem")}</a></span>`}
      ${nodes.length === 0 ? safe`<span>not polled: only other nodes observe it</span>` : NOTHING}
      ${nodeId === undefined ? NOTHING : boardLink(about, { node_id: nodeId, ...(network === undefined ? {} : { network }) })}
    </p>`;
}

function renderVerdict(view: ValidatorView, title: string): Html {
  const { reward } = view;
  return safe`<section class="verdict ${reward.state}" aria-labelledby="paid">
    <h2 id="paid">Will ${title} be paid?</h2>
    <p class="answer">${pill(reward.state, answerOf(reward))}</p>
    ${reasonsOf(view).map((sentence) => safe`<p>${sentence}</p>`)}
  </section>`;
}

/** How much downtime is left, as a figure, in words and as bars. */
function renderDowntime({ budget, wholeBudget, attainable, start, end, left }: StakeView, at: number): Html {
  if (left !== undefined || budget === undefined) return NOTHING;
  const used = wholeBudget === undefined || wholeBudget <= 0 ? undefined : 1 - budget / wholeBudget;
  return safe`<section aria-labelledby="left">
    <h2 id="left">How much downtime is left?</h2>
    <p class="figure">${leftText(budget)}</p>
    ${used === undefined ? NOTHING : bar(used, budget < 0 ? "lost" : "spent", `${percent(Math.max(0, used))} of the downtime budget is used`)}
    ${start === undefined || end === undefined || end <= start ? NOTHING : bar((at - start) / (end - start), "elapsed", `${percent(Math.min(1, (at - start) / (end - start)))} of the staking period has passed`)}
    ${factList([
      ["Whole budget of the period", wholeBudget === undefined ? undefined : span(wholeBudget)],
      ["Uptime at the end without further downtime", attainable === undefined ? undefined : percent(attainable)],
      ["Needed until", end === undefined ? undefined : timeOf(end)],
    ])}
  </section>`;
}

/** A bar whose words are under it. */
function bar(share: number, tone: "spent" | "elapsed" | "lost", words: string): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return safe`<div class="bar">
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="${tone}" width="${width}" height="4"/></svg>
    <p>${words}</p>
  </div>`;
}
