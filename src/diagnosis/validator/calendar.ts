import { PRIMARY } from "../../api/node/platform.ts";
import { span } from "../../config/base/age.ts";
import { apiCertificate } from "../../topics/exporter/api-certificate.ts";
import { upgradeReadiness } from "../../topics/network/upgrade-readiness.ts";
import { upgrades } from "../../topics/network/upgrades.ts";
import { lastDelegation } from "../../topics/validators/validator.ts";
import { labelsOf } from "../promql/sample.ts";
import type { Samples } from "../samples.ts";
import type { L1View } from "./stakes.ts";
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

const ACTIVATION = upgrades.metrics.activation.name;
const READY = upgradeReadiness.metrics.ready.name;
const NEXT_INFO = upgradeReadiness.metrics.info.name;
const NEXT_UPGRADE = upgradeReadiness.metrics.time.name;
const CERTIFICATE = apiCertificate.metrics.expiry.name;

/** What is ahead of the watched validators and polled nodes, the first at the top; from the samples on /metrics. */
export function calendarOf(samples: Samples): readonly CalendarDate[] {
  const { now } = samples;
  const views = validatorViews(samples);
  return [...views.flatMap(datesOfValidator), ...upgradeDates(samples), ...certificateDates(samples)]
    .filter(({ at }) => at > now && at < now + FARTHEST)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

function datesOfValidator(view: ValidatorView): readonly CalendarDate[] {
  const { nodeId, network = "", nodes } = view;
  if (nodeId === undefined) return [];
  const name = titleOf(view);
  const about = [nodeId, name, ...nodes.map(({ node }) => node)];
  const ends = view.stakes.flatMap((stake): CalendarDate[] => {
    const { subnet, subnetName = subnet, end, nextPeriod, left, capacity = 0 } = stake;
    if (end === undefined || left !== undefined) return [];
    const where = subnet === PRIMARY ? "" : ` on ${subnetName}`;
    const key = `${network}/${subnet}/${nodeId}`;
    const renewed = nextPeriod !== undefined && nextPeriod > 0;
    const period: CalendarDate = {
      id: `end/${key}`,
      at: end,
      title: renewed
        ? `${name}: cycle ends${where}, the next takes ${span(nextPeriod)}`
        : `${name}: stake ends${where}`,
      text: renewed
        ? `Below its requirement ${name} is removed at this time instead of being renewed.`
        : `Stake again to go on validating.${subnet === PRIMARY ? " The network decides about the reward at this time." : ""}`,
      about,
    };
    if (subnet !== PRIMARY || capacity === 0) return [period];
    return [
      period,
      {
        id: `delegation/${key}`,
        at: lastDelegation(end, network),
        title: `${name}: last day on which a delegation can begin`,
        text: "Later there is less time until the end of the period than the shortest delegation takes.",
        about,
      },
    ];
  });
  const large = nodes.find(({ delegations }) => delegations !== undefined)?.delegations?.large;
  if (large !== undefined)
    ends.push({
      id: `large-delegation/${network}/${nodeId}`,
      at: large.end,
      title: `${name}: a delegation of ${Number((large.share * 100).toFixed(1))} % of its weight ends`,
      text: "The delegator must delegate again to stay: a delegation cannot be renewed.",
      about,
    });
  return [...ends, ...view.l1.flatMap((l1) => runwayDate(l1, { name, network, nodeId, about, now: view.at }))];
}

function runwayDate(
  { subnet, subnetName = subnet, validationId, runway, active }: L1View,
  {
    name,
    network,
    nodeId,
    about,
    now,
  }: {
    readonly name: string;
    readonly network: string;
    readonly nodeId: string;
    readonly about: readonly string[];
    readonly now: number;
  },
): readonly CalendarDate[] {
  if (runway === undefined || active === false || !Number.isFinite(runway)) return [];
  return [
    {
      id: `balance/${network}/${validationId}`,
      at: now + runway,
      title: `${name}: balance on ${subnetName} runs out`,
      text: `At the present fee. Without a balance ${nodeId} is inactive and its weight counts against the quorum. Top up validation ${validationId}.`,
      about,
    },
  ];
}

/** Activations, also one that the stake announces and the reference node's schedule lacks; the nodes that lack the next one are named. */
function upgradeDates(samples: Samples): readonly CalendarDate[] {
  const rows = (name: string) =>
    samples.samples(name).map((each) => {
      const labels = labelsOf(each);
      const label = (key: string) => labels.get(key) ?? "";
      return {
        network: label("network"),
        upgrade: label("upgrade"),
        release: label("release"),
        node: label("node"),
        at: each.value,
      };
    });
  const scheduled = rows(ACTIVATION);
  const infos = rows(NEXT_INFO);
  const next = rows(NEXT_UPGRADE);
  const unscheduled = next
    .filter(({ network, at }) => !scheduled.some((each) => each.network === network && each.at === at))
    .map((each) => ({ ...each, upgrade: infos.find(({ network }) => network === each.network)?.upgrade ?? "" }));
  const lacking = rows(READY).filter(({ at: isReady }) => isReady === 0);
  return [...scheduled, ...unscheduled].map(({ network, upgrade, at }) => {
    const isNext = next.some((each) => each.network === network && each.at === at);
    const names = isNext ? lacking.flatMap((each) => (each.network === network ? [each.node] : [])).sort() : [];
    const release = infos.find((each) => each.network === network)?.release ?? "";
    return {
      id: `upgrade/${network}/${upgrade === "" ? "announced" : upgrade}`,
      at,
      title: `${network}: ${upgrade === "" ? "an upgrade" : upgrade} activates${names.length === 0 ? "" : `, ${names.length} of your nodes without it`}`,
      text:
        names.length === 0
          ? "A node without it forks off at this time."
          : `Without it, and forking off at this time: ${names.join(", ")}.${release === "" ? "" : ` The first release with it: ${release}.`}`,
      about: [],
    };
  });
}

function certificateDates(samples: Samples): readonly CalendarDate[] {
  return samples.samples(CERTIFICATE).map((each) => {
    const node = labelsOf(each).get("node") ?? "";
    return {
      id: `certificate/${node}`,
      at: each.value,
      title: `${node}: certificate of the API expires`,
      text: "Clients that verify it reject the API after this time, this exporter included.",
      about: [node],
    };
  });
}
