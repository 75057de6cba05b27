import type { OwnNode } from "../../diagnosis/validator/observers-of.ts";
import type { L1View, StakeView } from "../../diagnosis/validator/stake-view.ts";
import type { ValidatorView } from "../../diagnosis/validator/validator-views.ts";
import { span } from "../../config/base/durations.ts";
import { NOTHING, safe, type Html } from "../pages/html.ts";
import { count } from "../status-page/count.ts";
import { factList, known, note, pill, sectionOf, tableOf, timeOf } from "./page-parts.ts";
import { percent, shortId } from "../../config/base/figures.ts";
import { amount, answerOf, avax } from "./answer-texts.ts";
import { leftText } from "../../diagnosis/wording.ts";

/** Observers and memberships that are listed. */
const OBSERVERS = 12;
const MEMBERSHIPS = 20;

/** What does the network see, and what does the node report about itself? */
export function renderNetworkView(stake: StakeView | undefined, { nodes }: ValidatorView): Html {
  const observers = stake?.observers ?? [];
  const seen = tableOf(
    observers,
    [
      [
        "Observer",
        ({ node, isSelf }) =>
          safe`<bdi>${node}</bdi>${isSelf ? safe` <span class="quiet">itself: median of its peers</span>` : NOTHING}`,
      ],
      ["Uptime", ({ uptime }) => known(uptime, percent)],
      ["Connected", ({ isSelf, connected }) => (isSelf ? "–" : yesOr("lost", connected))],
      ["Downtime left", ({ budget }) => known(budget, leftText)],
    ],
    OBSERVERS,
  );
  const unknown = observers.length === 0 ? note("Unknown: no polled node observes it.") : NOTHING;
  return sectionOf("seen", "What does the network see?", [unknown, seen, ...nodes.map(renderOwn)]);
}

function yesOr(no: "lost" | "at_risk", is: boolean | undefined): Html | string | undefined {
  return known(is, (yes) => (yes ? "yes" : pill(no, "no")));
}

/** What a polled node of the validator reports about itself. */
function renderOwn(node: OwnNode): Html {
  const { up, healthy, rewarding, observing, reportedRewarding } = node;
  return safe`<h3>Own view of <bdi>${node.node}</bdi></h3>${factList([
    ["Answers", yesOr("lost", up)],
    ["Reports itself healthy", yesOr("at_risk", healthy)],
    ["Stake that would reward it", known(rewarding, percent)],
    ["The same by info.uptime", known(reportedRewarding, percent)],
    ["Stake that reported its uptime", known(observing, percent)],
    ["Uptime by its peers", peersText(node)],
  ])}`;
}

/** Whole percents, as peers report them. */
function peersText({ least, median, most }: OwnNode): string | undefined {
  if (least === undefined || median === undefined || most === undefined) return undefined;
  return least === most ? percent(median) : `${percent(least)} to ${percent(most)}, median ${percent(median)}`;
}

const nameOf = ({ subnet, subnetName }: Pick<StakeView, "subnet" | "subnetName">) =>
  safe`<bdi>${subnetName ?? shortId(subnet)}</bdi>`;

/** The memberships in permissioned and elastic subnets. */
export function renderSubnets(stakes: readonly StakeView[]): Html {
  if (stakes.length === 0) return NOTHING;
  const table = tableOf(
    stakes,
    [
      ["Subnet", nameOf],
      ["Reward", ({ reward }) => pill(reward.state, answerOf(reward))],
      ["Downtime left", ({ reward, budget }) => (reward.state === "none" ? "–" : known(budget, leftText))],
      ["Weight", ({ weight }) => known(weight, amount)],
      ["Ends", ({ left, end }) => known(left?.at ?? end, timeOf)],
    ],
    MEMBERSHIPS,
  );
  return sectionOf("subnets", "Subnets", [table]);
}

/** The validations on L1s. */
export function renderL1(validations: readonly L1View[]): Html {
  if (validations.length === 0) return NOTHING;
  const table = tableOf(
    validations,
    [
      ["L1", nameOf],
      ["Active", ({ active }) => known(active, (is) => (is ? pill("safe", "active") : pill("lost", "inactive")))],
      ["Balance", ({ balance }) => known(balance, avax)],
      ["Lasts", ({ runway }) => known(runway, runwayText)],
      ["Weight", ({ weight }) => amount(weight)],
      ["Uptime", uptimeRange],
      ["Connected to", connectedTo],
    ],
    MEMBERSHIPS,
  );
  return sectionOf("l1", "L1s", [table]);
}

/** A balance that lasts no longer than this is low. Seconds. */
const SHORT = 7 * 86_400;

function runwayText(runway: number): Html | string {
  if (runway >= SHORT) return span(runway);
  return runway === 0 ? pill("lost", "used up") : pill("at_risk", span(runway));
}

function uptimeRange({ observers }: L1View): string | undefined {
  const uptimes = observers.map(({ uptime }) => uptime).filter((uptime) => uptime !== undefined);
  const [least, most] = [percent(Math.min(...uptimes)), percent(Math.max(...uptimes))];
  if (uptimes.length === 0) return undefined;
  return least === most ? least : `${least} to ${most}`;
}

function connectedTo({ observers }: L1View): string | undefined {
  const told = observers.filter(({ connected }) => connected !== undefined);
  const connected = told.filter((observer) => observer.connected === true).length;
  return told.length === 0 ? undefined : `${connected} of ${count(told.length, "observer")}`;
}
