import { Health } from "../../api/node/health.ts";
import { Peers } from "../../api/node/info.ts";
import { Validators } from "../../api/node/platform.ts";
import { gauges } from "../define/metric.ts";
import type { Sample } from "../../exposition/sample.ts";
import type { ComparedData } from "../define/needs.ts";
import { comparingTopic } from "../define/topic.ts";
import { quantile } from "../quantile.ts";
import { primarySetOf } from "../stakes.ts";
import { peersOf } from "./peers.ts";

const needs = { answer: Peers, report: Health, sets: Validators };
type Members = ComparedData<typeof needs>["members"];
type State = ReadonlyArray<Sample<"node", number>>;

/** A fleet whose nodes all lack peers, or of one node, is measured by this number, or by the validators of a small network. */
const MOST_EXPECTED = 10;

/** For the operator of a node behind a firewall: it keeps the connections that it opens itself, which are few. */
export const peerShare = comparingTopic(
  {
    id: "peer-share",
    about: "Does each node have as many peers as it should?",
    needs,
    start: (): State => [],
    compare: (_state: State, { members }: ComparedData<typeof needs>): State => sharesOf(members),
  },
  {
    ratio: gauges(
      "avax_node_peers_expected_ratio",
      `Connected peers as a share of what the node should have: the median of the polled nodes of its network, and at least ${MOST_EXPECTED}, or all others in a network of fewer validators; absent where none is expected (info.peers, \`numPeers\`, else health API, check network: \`connectedPeers\`; platform.getCurrentValidators, \`nodeID\`).`,
      ["node"],
      ({ state }) => state,
    ),
  },
);

function sharesOf(members: Members): State {
  const counted = members.flatMap(({ facts: { node }, answers: { answer, report } }) => {
    const count = peersOf(answer?.value, report?.value);
    return count === undefined ? [] : [{ node, count }];
  });
  const validators = new Set(primarySetOf(members)?.validators.map(({ nodeID }) => nodeID));
  const least = Math.min(MOST_EXPECTED, validators.size - 1);
  if (counted.length === 0) return [];
  const usual = quantile(
    0.5,
    counted.map(({ count }) => count),
  );
  const expected = Math.max(usual, least);
  return expected <= 0 ? [] : counted.map(({ node, count }) => [{ node }, count / expected]);
}
