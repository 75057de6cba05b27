import type { Diagnosis } from "../../diagnosis/finding.ts";
import type { StakeView } from "../../diagnosis/validator/stake-view.ts";
import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import type { About } from "../http-dependencies.ts";
import { boardLink } from "../status-page/board-link.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { renderL1, renderNetworkView, renderSubnets } from "./render-network-view.ts";
import { renderOutages } from "./render-outages.ts";
import { factList, known, pageOf, pill, sectionOf, timeOf } from "./page-parts.ts";
import { problemsOf, renderProblems } from "./render-problems.ts";
import type { OfflineQuestion } from "./offline-question.ts";
import { renderDelegations, renderStake, renderUpgrade } from "./render-stake.ts";
import { percent } from "../../config/base/figures.ts";
import { answerOf, reasonsOf } from "./answer-texts.ts";
import { leftText } from "../../diagnosis/wording.ts";

/** The page of one validator: one document without a script. Without the diagnosis its problems are unknown. */
export function renderValidatorPage(
  view: ValidatorView,
  diagnosis: Diagnosis | undefined,
  question: OfflineQuestion,
  about: About,
): string {
  const { at } = view;
  const stake = mainStake(view);
  const title = titleOf(view);
  const problems = diagnosis && problemsOf(diagnosis, view);
  const whenStaked = (render: (stake: StakeView) => Html): Html => known(stake, render) ?? NOTHING;
  const paid = [
    safe`<p class="answer">${pill(view.reward.state, answerOf(view.reward))}</p>`,
    ...reasonsOf(view).map((sentence) => safe`<p>${sentence}</p>`),
  ];
  return pageOf(
    `${title}: ${answerOf(view.reward).toLowerCase()}`,
    at,
    safe`
    ${renderTitle(view, title, problems?.length ?? 0, about)}
    ${sectionOf("paid", `Will ${title} be paid?`, paid, `verdict ${view.reward.state}`)}
    <div class="pair narrow-wide">
      ${whenStaked((own) => renderDowntime(own, at))}
      ${whenStaked((own) => renderOutages(own, view, question))}
    </div>
    <div class="pair">
      ${whenStaked((own) => renderStake(own, at))}
      ${renderUpgrade(view)}
    </div>
    ${renderDelegations(view)}
    ${renderNetworkView(stake, view)}
    ${renderSubnets(view.stakes.filter((each) => each !== stake))}
    ${renderL1(view.l1)}
    ${renderProblems(problems)}`,
  );
}

/** The stake that the page is about: the first with a reward, else the first one. */
function mainStake({ stakes }: ValidatorView): StakeView | undefined {
  return stakes.find(({ reward }) => reward.reason !== "no_reward") ?? stakes[0];
}

function renderTitle(view: ValidatorView, title: string, problems: number, about: About): Html {
  const { nodeId, network, nodes } = view;
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

/** How much downtime is left, as a figure, in words and as bars. */
function renderDowntime({ budget, wholeBudget, attainable, start, end, left }: StakeView, at: number): Html {
  if (left !== undefined || budget === undefined) return NOTHING;
  const used = wholeBudget === undefined || wholeBudget <= 0 ? undefined : 1 - budget / wholeBudget;
  const passed =
    start === undefined || end === undefined || end <= start ? undefined : Math.min(1, (at - start) / (end - start));
  return sectionOf("left", "How much downtime is left?", [
    safe`<p class="figure">${leftText(budget)}</p>`,
    bar(used, budget < 0 ? "lost" : "spent", "of the downtime budget is used"),
    bar(passed, "elapsed", "of the staking period has passed"),
    factList([
      ["Whole budget of the period", known(wholeBudget, span)],
      ["Uptime at the end without further downtime", known(attainable, percent)],
      ["Needed until", known(end, timeOf)],
    ]),
  ]);
}

/** A bar whose words are under it; nothing while the share is unknown. */
function bar(share: number | undefined, tone: "spent" | "elapsed" | "lost", words: string): Html {
  if (share === undefined) return NOTHING;
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return safe`<div class="bar">
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="${tone}" width="${width}" height="4"/></svg>
    <p>${percent(Math.max(0, share))} ${words}</p>
  </div>`;
}
