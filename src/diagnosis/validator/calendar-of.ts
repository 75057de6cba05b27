import { PRIMARY } from "../../api/node/platform.ts";
import { span } from "../../config/base/durations.ts";
import { identity } from "../../topics/node/identity.ts";
import { apiCertificate } from "../../topics/exporter/api-certificate.ts";
import { UNNAMED } from "../../topics/network/judged-upgrade.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { lastDelegation } from "../../topics/validators/validator.ts";
import { type Samples, labelOf } from "../samples.ts";
import type { Reading } from "../../exposition/sample.ts";
import { titleOf, validatorViews, type ValidatorView } from "./validator-views.ts";

/** A day that somebody has to do something before. */
export type CalendarDate = {
  /** The same for what it is about, so that an entry moves when the time does. */
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly title: string;
  readonly text: string;
  /** The node ID and names of the validators that it concerns; none of what concerns a whole network. */
  readonly about: readonly string[];
};

/** Seconds. At the present fee a balance can last for centuries, which is no date to prepare for; iCalendar ends with the year 9999. */
const FARTHEST = 10 * 365 * 86_400;

/** What is ahead of the watched validators and polled nodes, the first at the top; from the samples on /metrics. */
export function calendarOf(samples: Samples): readonly CalendarDate[] {
  const { now } = samples;
  const views = validatorViews(samples);
  return [
    ...views.flatMap((view) => datesOfValidator(samples, view)),
    ...upgradeDates(samples),
    ...certificateDates(samples),
  ]
    .filter(({ at }) => at > now && at < now + FARTHEST)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

const RENEWED = "Below its requirement the validator is removed at this time instead of being renewed.";

/** By the ID that its nodes report, and by its name while none does. */
function isMainnet({ samples }: Samples, network: string): boolean {
  const node = samples(identity.metrics.node.name).find((row) => labelOf(row, "network") === network);
  return node === undefined ? network === "mainnet" : labelOf(node, "network_id") === "1";
}

function datesOfValidator(samples: Samples, view: ValidatorView): readonly CalendarDate[] {
  const { nodeId, network = "", nodes } = view;
  if (nodeId === undefined) return [];
  const name = titleOf(view);
  const about = [nodeId, name, ...nodes.map(({ node }) => node)];
  const dates: CalendarDate[] = [];
  const add = (id: string, at: number, what: string, text: string): void =>
    void dates.push({ id, at, title: `${name}: ${what}`, text, about });
  for (const { subnet, subnetName = subnet, end, nextPeriod = 0, left, capacity = 0 } of view.stakes) {
    if (end === undefined || left !== undefined) continue;
    const isPrimary = subnet === PRIMARY;
    const where = isPrimary ? "" : ` on ${subnetName}`;
    const key = `${network}/${subnet}/${nodeId}`;
    const reward = isPrimary ? " The network decides about the reward at this time." : "";
    const [what, text] =
      nextPeriod === 0
        ? [`stake ends${where}`, `Stake again to go on validating.${reward}`]
        : [`cycle ends${where}, the next takes ${span(nextPeriod)}`, RENEWED];
    add(`end/${key}`, end, what, text);
    if (isPrimary && capacity > 0)
      add(
        `delegation/${key}`,
        lastDelegation(end, isMainnet(samples, network)),
        "last day on which a delegation can begin",
        "Later there is less time until the end of the period than the shortest delegation takes.",
      );
  }
  const large = nodes.find(({ delegations }) => delegations !== undefined)?.delegations?.large;
  if (large !== undefined)
    add(
      `large-delegation/${network}/${nodeId}`,
      large.end,
      `a delegation of ${Number((large.share * 100).toFixed(1))} % of its weight ends`,
      "The delegator must delegate again to stay: a delegation cannot be renewed.",
    );
  for (const { subnet, subnetName = subnet, validationId, runway, active } of view.l1)
    if (runway !== undefined && active !== false)
      add(
        `balance/${network}/${validationId}`,
        view.at + runway,
        `balance on ${subnetName} runs out`,
        `At the present fee. Without a balance ${nodeId} is inactive and its weight counts against the quorum. Top up validation ${validationId}.`,
      );
  return dates;
}

/** Activations, also one that the stake announces and the reference node's schedule lacks; the nodes that lack the next one are named. */
function upgradeDates({ samples }: Samples): readonly CalendarDate[] {
  const { ready, info, time } = upgradeReadiness.metrics;
  const networkOf = (row: Reading) => labelOf(row, "network") ?? "";
  const scheduled = samples(upgrades.metrics.activation.name);
  const next = samples(time.name);
  const isAt = (row: Reading) => (each: Reading) => networkOf(each) === networkOf(row) && each.value === row.value;
  return [...scheduled, ...next.filter((row) => !scheduled.some(isAt(row)))].map((row) => {
    const network = networkOf(row);
    const about = samples(info.name).find((each) => networkOf(each) === network) ?? row;
    const named = (label: string) => [labelOf(about, label)].find((name) => name !== UNNAMED);
    const upgrade = labelOf(row, "upgrade") ?? named("upgrade");
    const release = named("release");
    const names = samples(ready.name)
      .filter((each) => each.value === 0 && networkOf(each) === network && next.some(isAt(row)))
      .map((each) => labelOf(each, "node"))
      .sort();
    const isReady = names.length === 0;
    const first = release === undefined ? "" : ` The first release with it: ${release}.`;
    return {
      id: `upgrade/${network}/${upgrade ?? "announced"}`,
      at: row.value,
      title: `${network}: ${upgrade ?? "an upgrade"} activates${isReady ? "" : `, ${names.length} of your nodes without it`}`,
      text: isReady
        ? "A node without it forks off at this time."
        : `Without it, and forking off at this time: ${names.join(", ")}.${first}`,
      about: [],
    };
  });
}

function certificateDates(samples: Samples): readonly CalendarDate[] {
  return samples.samples(apiCertificate.metrics.expiry.name).map((row) => {
    const node = labelOf(row, "node") ?? "";
    return {
      id: `certificate/${node}`,
      at: row.value,
      title: `${node}: certificate of the API expires`,
      text: "Clients that verify it reject the API after this time, this exporter included.",
      about: [node],
    };
  });
}
