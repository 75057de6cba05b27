import { z } from "zod";
import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { PRIMARY, SecondValidators, Validators } from "../../api/node/platform.ts";
import { chainIds } from "../chain-ids.ts";
import { gauges } from "../define/metric.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic, topic } from "../define/topic.ts";
import { Reaches } from "../reach.ts";
import { isActive, isWeighed, share, totalWeight } from "../stakes.ts";
import { downIn, lossAfter, UNKNOWN, type QuorumLoss } from "./quorum-loss.ts";
import {
  DEFAULT_QUORUM_RATIO,
  DEFAULT_STOP_RATIO,
  requirementsOf,
  stopRatio,
  viewOf,
  witnessesIn,
  type QuorumView,
} from "./quorum-view.ts";

export const quorum = topic(
  {
    id: "quorum",
    about: "What share of the weight of the Primary Network and of each configured subnet can vote?",
    scope: "network",
    needs: { sets: Validators },
  },
  {
    active: gauges(
      "avax_subnet_active_weight_ratio",
      "Share of the weight of the Primary Network or a configured subnet that is active, which in an L1 means that it has a balance left (platform.getCurrentValidators, `weight`, `delegatorWeight`, `balance`).",
      ["subnet"],
      ({ sets }) =>
        [...sets].map(([subnet, set]) => {
          const active = isWeighed(set) ? totalWeight(set.validators.filter(isActive)) : undefined;
          return [{ subnet }, active === undefined ? undefined : share(active, totalWeight(set.validators))] as const;
        }),
    ),
  },
);

const needs = {
  ...{ reach: Reaches, report: Health, ids: chainIds },
  ...{ sets: Validators, second: SecondValidators, peers: Peers },
};

/** What is known of a subnet. */
type Quorum = {
  /** The share that consensus requires. */
  readonly required: number;
  /** `undefined` while no node can say. */
  readonly view: QuorumView | undefined;
  readonly loss: QuorumLoss;
};
/** By subnet. */
type State = ReadonlyMap<string, Quorum>;

const SAVED = z.array(z.object({ subnet: z.string(), since: z.number(), isLost: z.boolean(), down: z.string() }));

const WITNESS =
  "the network's reference node, or to another polled node where that one is cut off, has no peers or has just started";
const SOURCE =
  "(info.peers, `nodeID`, `trackedSubnets`; platform.getCurrentValidators, `weight`, `delegatorWeight`, `balance`, and `connected` where the peers leave it open)";

export const quorumMargin = comparingTopic(
  {
    id: "quorum-margin",
    about: "Is enough weight of the Primary Network and of each configured subnet connected to make blocks?",
    needs,
    start: (): State => new Map(),
    compare(before: State, { members }: ComparedData<typeof needs>, { networkSubnets, reference, time }): State {
      const named = requirementsOf(members);
      const witnesses = witnessesIn(members, reference, time);
      return new Map(
        [PRIMARY, ...networkSubnets].map((subnet) => {
          const required = named.get(subnet) ?? DEFAULT_QUORUM_RATIO;
          const view = viewOf(witnesses, subnet, stopRatio(required));
          const isBelow = view && view.spare === undefined;
          const loss = lossAfter(before.get(subnet)?.loss ?? UNKNOWN, isBelow, () => downIn(members, subnet), time);
          return [subnet, { required, view, loss }];
        }),
      );
    },
    saved: {
      save: (state: State) =>
        [...state].flatMap(([subnet, { loss }]) => {
          const { since, isLost, down } = loss;
          return since === undefined ? [] : [{ subnet, since, isLost, down }];
        }),
      restore: (text: unknown): State =>
        new Map(
          SAVED.parse(text).map(({ subnet, ...loss }) => [
            subnet,
            { required: DEFAULT_QUORUM_RATIO, view: undefined, loss: { ...loss, isKnown: true } },
          ]),
        ),
    },
    formulas: [
      {
        metric: "avax_subnet_connected_weight_ratio",
        formula: "weight of the validators that are active and connected / weight of all, inactive ones included",
        example: "Weights 100 and 200 connected, 10 and 50 without balance: 300 / 360.",
        result: 0.833333333333,
      },
      {
        metric: "avax_subnet_quorum_spare_validators",
        formula: `number of active and connected validators that can be removed, the heaviest first, while the share of all weight without which chains stop (${DEFAULT_STOP_RATIO * 100} % by default) stays connected`,
        example:
          "Weights 10, 5, 5, 70 and 10, all connected but the last: 90 % is connected. Without the 70, 20 % is left, so none can go offline.",
        result: 0,
      },
    ],
  },
  {
    requirement: gauges(
      "avax_subnet_quorum_requirement_ratio",
      `Share of the weight of the Primary Network or a configured subnet that health checks require to be connected: the highest that a failing chain check of any polled node names, else AvalancheGo's default of ${DEFAULT_QUORUM_RATIO}; chains stop later, below 1.25 times this minus 0.25 (health API, chain check: \`error\`, "required at least").`,
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { required }]) => [{ subnet }, required]),
    ),
    connected: gauges(
      "avax_subnet_connected_weight_ratio",
      `Share of the weight of the Primary Network or a configured subnet that is active and connected to ${WITNESS}; weight without balance stays in the total and is never connected; 0 of a subnet without any weight ${SOURCE}.`,
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { view }]) => [{ subnet }, view?.connected]),
    ),
    spare: gauges(
      "avax_subnet_quorum_spare_validators",
      `Active and connected validators of the Primary Network or a configured subnet that can go offline, the heaviest first, before so little of the weight is connected that chains stop (1.25 times \`avax_subnet_quorum_requirement_ratio\` minus 0.25); absent when they have stopped ${SOURCE}.`,
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { view }]) => [{ subnet }, view?.spare]),
    ),
    atRisk: gauges(
      "avax_subnet_quorum_at_risk",
      `1 while weight of the Primary Network or a configured subnet is inactive or not connected, and chains stop without the heaviest validator that is connected ${SOURCE}.`,
      ["subnet"],
      ({ state }) =>
        [...state].map(([subnet, { view }]) => [{ subnet }, view && view.connected < 1 && view.spare === 0]),
    ),
    lost: gauges(
      "avax_subnet_quorum_lost",
      `1 while, for more than a minute, so little weight of the Primary Network or a configured subnet has been connected that its chains accept no blocks; \`down\` names the polled validators that were down then, and does not change while it is 1. While no node can say, it stays as it was ${SOURCE}.`,
      ["subnet", "down"],
      ({ state }) =>
        [...state].map(([subnet, { loss }]) => [{ subnet, down: loss.down }, loss.isKnown ? loss.isLost : undefined]),
    ),
  },
);
