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

const ACTIVATION = upgrades.metrics.activation.name;
const READY = upgradeReadiness.metrics.ready.name;
const NEXT_UPGRADE = upgradeReadiness.metrics.time.name;
const CERTIFICATE = apiCertificate.metrics.expiry.name;

/** What is ahead of the watched validators and polled nodes, the first at the top; from the samples on /metrics. */
export function calendarOf(samples: Samples): readonly CalendarDate[] {
  const { now } = samples;
  const views = validatorViews(samples);
  return [...views.flatMap(datesOfValidator), ...upgradeDates(samples), ...certificateDates(samples)]
    .filter(({ at }) => at > now)
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

/** Activations ahead; the nodes that lack the next one are named. */
function upgradeDates(samples: Samples): readonly CalendarDate[] {
  const next = new Map(samples.samples(NEXT_UPGRADE).map((each) => [labelsOf(each).get("network"), each.value]));
  const lacking = Map.groupBy(
    samples.samples(READY).filter(({ value }) => value === 0),
    (each) => labelsOf(each).get("network"),
  );
  return samples.samples(ACTIVATION).map((each) => {
    const [network = "", upgrade = ""] = [labelsOf(each).get("network"), labelsOf(each).get("upgrade")];
    const nodes = next.get(network) === each.value ? (lacking.get(network) ?? []) : [];
    const names = nodes.map((one) => labelsOf(one).get("node") ?? "").sort();
    return {
      id: `upgrade/${network}/${upgrade}`,
      at: each.value,
      title: `${network}: ${upgrade} activates${names.length === 0 ? "" : `, ${names.length} of your nodes without it`}`,
      text:
        names.length === 0
          ? "A node without it forks off at this time."
          : `Without it, and forking off at this time: ${names.join(", ")}.`,
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
