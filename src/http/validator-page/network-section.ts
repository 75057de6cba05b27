import type { Observer } from "../../diagnosis/validator/validator-view.ts";
import type { OwnNode } from "../../diagnosis/validator/observers.ts";
import type { StakeView } from "../../diagnosis/validator/stakes.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { factList, pill, tableOf, type Entry } from "./page.ts";
import { leftText, percent } from "./words.ts";

/** Observers that are listed. */
const LISTED = 12;

/** What does the network see, and what does the node report about itself? */
export function renderNetworkView(stake: StakeView | undefined, { nodes }: ValidatorView): Html {
  const observers = stake?.observers ?? [];
  return safe`<section aria-labelledby="seen">
    <h2 id="seen">What does the network see?</h2>
    ${observers.length === 0 ? safe`<p class="quiet">Unknown: no polled node observes it.</p>` : renderObservers(observers)}
    ${nodes.map((node) => renderOwn(node))}
  </section>`;
}

function renderObservers(observers: readonly Observer[]): Html {
  const more = observers.length - LISTED;
  return safe`${tableOf(["Observer", "Uptime", "Connected", "Downtime left"], observers.slice(0, LISTED).map(cellsOf))}
    ${more > 0 ? safe`<p class="quiet">and ${count(more, "observer")} with more downtime left</p>` : NOTHING}`;
}

function cellsOf({ node, isSelf, uptime, connected, budget }: Observer): ReadonlyArray<Html | string> {
  return [
    safe`<bdi>${node}</bdi>${isSelf ? safe` <span class="quiet">itself: median of its peers</span>` : NOTHING}`,
    uptime === undefined ? "unknown" : percent(uptime),
    isSelf ? "–" : connected === undefined ? "unknown" : connected ? "yes" : pill("lost", "no"),
    budget === undefined ? "unknown" : leftText(budget),
  ];
}

/** What a polled node of the validator reports about itself. */
function renderOwn(node: OwnNode): Html {
  const { up, healthy, rewarding, observing, reportedRewarding } = node;
  const entries: readonly Entry[] = [
    ["Answers", up === undefined ? undefined : up ? "yes" : pill("lost", "no")],
    ["Reports itself healthy", healthy === undefined ? undefined : healthy ? "yes" : pill("at_risk", "no")],
    ["Stake that would reward it", rewarding === undefined ? undefined : percent(rewarding)],
    ["The same by info.uptime", reportedRewarding === undefined ? undefined : percent(reportedRewarding)],
    ["Stake that reported its uptime", observing === undefined ? undefined : percent(observing)],
    ["Uptime by its peers", peersText(node)],
  ];
  return safe`<h3>Own view of <bdi>${node.node}</bdi></h3>${factList(entries)}`;
}

/** Whole percents, as peers report them. */
function peersText({ least, median, most }: OwnNode): string | undefined {
  if (least === undefined || median === undefined || most === undefined) return undefined;
  return least === most ? percent(median) : `${percent(least)} to ${percent(most)}, median ${percent(median)}`;
}
