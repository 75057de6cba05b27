import type { Endpoint } from "../../api/endpoint.ts";
import { IsBootstrapped } from "../../api/node/info.ts";
import { BEHIND_FOR } from "../../topics/chains/lag.ts";
import type { Store } from "../poll/store.ts";
import { pollId } from "../poll/poll.ts";
import type { PolledNetwork, NodeTarget, NetworkQuestion } from "./poller-state.ts";

/**
 * Who is asked each question about a network: the reference node, or the next node where it cannot answer, as without one of the
 * interfaces. Facts of all nodes would be gone for one that fails.
 */

/** With the nodes that can be asked, in their order. */
type Open = Pick<NetworkQuestion, "endpoint" | "key"> & { readonly candidates: readonly NodeTarget[] };

/** Failures in a row after which the next node is asked: its answer comes before the last one is too old. */
const MOST_FAILURES = 2;
/** Nodes that are asked: a question that three cannot answer is one that the network's release does not have. */
const MOST_ASKED = 3;
/** Until a node that could not answer is asked again. Seconds. */
const RETRIED_AFTER = 600;

/** The nodes of a network that are up and bootstrapped, in the order of the configuration; those first that keep up. */
export function soundOf(store: Store, { members }: PolledNetwork, now: number): readonly NodeTarget[] {
  const isBootstrapped = ({ key }: NodeTarget): boolean =>
    store.get(key, IsBootstrapped, now, "P")?.value.isBootstrapped === true;
  const able = members.filter((member) => member.up === true && isBootstrapped(member));
  const keepsUp = ({ behindSince = now }: NodeTarget): boolean => now - behindSince < BEHIND_FOR;
  return [...able.filter(keepsUp), ...able.filter((target) => !keepsUp(target))];
}

/** All questions about a network, by name of the poll. */
export function openQuestions(
  { members, facts }: PolledNetwork,
  endpoints: ReadonlyArray<Endpoint<unknown>>,
  sound: readonly NodeTarget[],
): ReadonlyMap<string, Open> {
  const found = new Map<string, Open & { readonly candidates: NodeTarget[] }>();
  const [reference] = sound;
  const add = (endpoint: Endpoint<unknown>, key: string, ...more: readonly NodeTarget[]): void => {
    const id = pollId(endpoint, key);
    const open = found.get(id) ?? { endpoint, key, candidates: [] };
    found.set(id, open);
    if (reference !== undefined) open.candidates.push(...more);
  };
  // A chain is served by some nodes only.
  const ordered = new Set(reference === undefined ? members : [reference, ...members]);
  for (const endpoint of endpoints.toSorted(
    (a, b) => Number(a.confirms !== undefined) - Number(b.confirms !== undefined),
  )) {
    if (endpoint.byChain === true)
      for (const member of ordered) for (const key of endpoint.keys(member.facts)) add(endpoint, key, member);
    else
      for (const key of facts === undefined ? [] : endpoint.keys(facts))
        add(endpoint, key, ...sound.slice(0, MOST_ASKED));
  }
  return found;
}

/** Where it is asked of a second node: without the first one, and those that could not answer. First questions come before. */
export function withoutFirst(open: Open, known: ReadonlyMap<string, NetworkQuestion>): Open {
  const { endpoint, key, candidates } = open;
  if (endpoint.confirms === undefined) return open;
  const first = known.get(pollId({ id: endpoint.confirms }, key));
  return {
    ...open,
    candidates: candidates.filter((each) => each !== first?.holder && first?.unable.has(each) !== true),
  };
}

/** A question at a later time. */
export function asked(
  { endpoint, key, candidates }: Open,
  before: NetworkQuestion | undefined,
  now: number,
): NetworkQuestion {
  const { holder, unable: known = new Map<NodeTarget, number>() } = before ?? {};
  const isKept = holder !== undefined && candidates.includes(holder);
  const unable = new Map([...known].filter(([each, at]) => candidates.includes(each) && now - at < RETRIED_AFTER));
  if (isKept && isFailing(holder, pollId(endpoint, key))) unable.set(holder, now);
  const able = candidates.filter(({ up }) => up === true).slice(0, MOST_ASKED);
  const next = able.find((target) => !unable.has(target)) ?? able[0] ?? (isKept ? holder : candidates[0]);
  return { endpoint, key, holder: next, unable };
}

function isFailing({ polls }: NodeTarget, id: string): boolean {
  const state = polls.get(id)?.state;
  return state !== undefined && (state.last.is === "unsupported" || state.failures >= MOST_FAILURES);
}
