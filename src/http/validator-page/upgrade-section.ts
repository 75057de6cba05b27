import type { OwnNode, ValidatorView } from "../../diagnosis/validator/validator-view.ts";
import { span } from "../status-page/age.ts";
import { safe, type Html } from "../pages/html.ts";
import { factList, NOTHING, pill, timeOf, type Entry } from "./page.ts";
import { percent } from "./words.ts";

/** Is the validator ready for the next upgrade? */
export function renderUpgrade({ upgrade, nodes, at }: ValidatorView): Html {
  const { time, name, readyStake } = upgrade;
  const isAhead = time !== undefined && time > at;
  const entries: readonly Entry[] = [
    [
      time === undefined || isAhead ? "Next upgrade" : "Last upgrade",
      time === undefined ? undefined : timeText(time, name, at),
    ],
    ...(isAhead ? [["Stake that is ready", readyStake === undefined ? undefined : percent(readyStake)] as const] : []),
    ...nodes.map((node): Entry => [nodes.length > 1 ? `Ready: ${node.node}` : "This node", readiness(node, at)]),
    ...nodes.map((node): Entry => [nodes.length > 1 ? `Version: ${node.node}` : "Version", node.version]),
  ];
  return safe`<section aria-labelledby="upgrade">
    <h2 id="upgrade">Is it ready for the next upgrade?</h2>
    ${factList(entries)}
    ${time === undefined ? safe`<p class="quiet">No announced upgrade is known: the network was not observed yet, or it has no date.</p>` : NOTHING}
    ${nodes.length === 0 ? safe`<p class="quiet">Its own readiness is unknown: the node is not polled.</p>` : NOTHING}
  </section>`;
}

function timeText(time: number, name: string | undefined, at: number): Html {
  const distance = time > at ? `in ${span(time - at)}` : `${span(at - time)} ago`;
  return safe`${name === undefined ? "" : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`} ${timeOf(time)} <span class="distance">${distance}</span>`;
}

function readiness({ upgradeReady, forksOffAt }: OwnNode, at: number): Html | undefined {
  if (upgradeReady === undefined) return undefined;
  if (upgradeReady) return pill("safe", "ready");
  const when =
    forksOffAt === undefined
      ? ""
      : forksOffAt > at
        ? `forks off in ${span(forksOffAt - at)}`
        : `forked off ${span(at - forksOffAt)} ago`;
  return safe`${pill("lost", "not ready")} ${when}`;
}
