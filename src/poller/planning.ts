import type { Endpoint } from "../api/endpoint.ts";
import { OwnRecords } from "../self/poll-record.ts";
import type { Config, EndpointSettings } from "../config/config.ts";
import { fractionOf, nextOnGrid } from "./grid.ts";
import type { Place } from "./reader.ts";
import { networkSubject } from "./subjects.ts";
import type { Poll, Target } from "./target.ts";

/** Nodes under one label, in the order of the configuration. */
export type Network = { readonly name: string; readonly members: readonly Target[] };

/** The networks that the nodes belong to, as far as that is known. */
export function networks(targets: Iterable<Target>): ReadonlyMap<string, Network> {
  const members = new Map<string, Target[]>();
  for (const target of targets) {
    const { network } = target.subject;
    if (network === undefined) continue;
    const list = members.get(network);
    if (list === undefined) members.set(network, [target]);
    else list.push(target);
  }
  return new Map([...members].map(([name, list]) => [name, { name, members: list }]));
}

/** Store owner and place in the exposition of a node. */
export const nodeKey = (name: string): string => `node ${name}`;
/** Store owner and place in the exposition of a network. */
export const networkKey = (name: string): string => `network ${name}`;

/** Where a node's topics read: its own answers, and its network's. */
export function placeOfNode({ subject }: Target): Place {
  const own = nodeKey(subject.node);
  const network = subject.network === undefined ? undefined : networkKey(subject.network);
  return { subject, target: own, ownerOf: ({ scope }) => (scope === "network" ? network : own) };
}

/** Where a network's topics read: its own answers, and its speaker's. */
export function placeOfNetwork(config: Config, network: string, speaker: Target): Place {
  const own = networkKey(network);
  return {
    subject: networkSubject(config, speaker.subject),
    target: own,
    ownerOf: ({ scope }) => (scope === "network" ? own : nodeKey(speaker.config.name)),
  };
}

export type Planned = { readonly added: readonly Poll[]; readonly removed: readonly Poll[] };

/** Brings the polls of a node in line with the configuration, with what is known about it and with whether it is a speaker. */
export function replan(
  target: Target,
  endpoints: ReadonlyArray<Endpoint<unknown>>,
  config: Config,
  speaks: boolean,
  now: number,
): Planned {
  const wanted = new Map(
    endpoints.flatMap((endpoint) =>
      questions(endpoint, target, config, speaks).map((each) => [idOf(endpoint, each.key), each]),
    ),
  );
  const removed = [...target.polls].filter(([id]) => !wanted.has(id)).map(([, poll]) => poll);
  for (const { endpoint, key } of removed) target.polls.delete(idOf(endpoint, key));
  const added: Poll[] = [];
  for (const [id, question] of wanted) {
    const known = target.polls.get(id);
    const settings = settingsOf(question.endpoint, config.endpoints[question.endpoint.id]);
    if (known === undefined || known.owner !== question.owner) {
      if (known !== undefined) removed.push(known);
      const poll = newPoll(target.config.name, id, question, settings, now);
      target.polls.set(id, poll);
      added.push(poll);
    } else if (known.every !== settings.every || known.timeout !== settings.timeout) {
      Object.assign(known, settings, { phase: phaseOf(target.config.name, id, settings.every) });
      known.next = Math.min(known.next, nextOnGrid(now, known.every, known.phase));
    }
  }
  return { added, removed };
}

type Question = { readonly endpoint: Endpoint<unknown>; readonly key: string; readonly owner: string };

function questions(
  endpoint: Endpoint<unknown>,
  { subject, delegated }: Target,
  config: Config,
  speaks: boolean,
): readonly Question[] {
  const enabled = config.endpoints[endpoint.id]?.enabled ?? endpoint.enabled ?? true;
  if (!enabled || endpoint.id === OwnRecords.id) return [];
  // Facts under a network's label need the label.
  if (endpoint.scope !== "node" && subject.network === undefined) return [];
  if (endpoint.scope === "network" && endpoint.byChain === true) {
    const owner = networkKey(subject.network ?? "");
    const keys = endpoint.keys(subject).filter((chain) => speaks || delegated.has(chain));
    return keys.map((key) => ({ endpoint, key, owner }));
  }
  if (endpoint.scope === "network" && !speaks) return [];
  const asked = endpoint.scope === "network" ? networkSubject(config, subject) : subject;
  const owner = endpoint.scope === "network" ? networkKey(subject.network ?? "") : nodeKey(subject.node);
  return endpoint.keys(asked).map((key) => ({ endpoint, key, owner }));
}

function settingsOf(
  endpoint: Endpoint<unknown>,
  settings: EndpointSettings | undefined,
): { every: number; timeout: number } {
  return { every: settings?.every ?? endpoint.every, timeout: settings?.timeout ?? endpoint.timeout };
}

/** A poll within its node. */
export function idOf({ id }: Endpoint<unknown>, key: string): string {
  return key === "" ? id : `${id} ${key}`;
}

function phaseOf(node: string, id: string, every: number): number {
  return fractionOf(`${node} ${id}`) * every;
}

/** A new poll is due at once: what has never been asked is not known. */
function newPoll(
  node: string,
  id: string,
  question: Question,
  settings: { every: number; timeout: number },
  now: number,
): Poll {
  return {
    ...question,
    ...settings,
    phase: phaseOf(node, id, settings.every),
    next: now,
    running: false,
    again: false,
    cancel: undefined,
    lastAttempt: undefined,
    lastSuccess: undefined,
    failures: 0,
    unsupported: false,
    error: undefined,
    heldSince: undefined,
    previous: undefined,
  };
}
