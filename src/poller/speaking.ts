import { IsBootstrapped } from "../api/node/info.ts";
import type { Fleet } from "./fleet.ts";
import { isExpired } from "./grid.ts";
import { networkKey, nodeKey } from "./planning.ts";
import { plan } from "./plan.ts";
import { readNetwork } from "./showing.ts";
import { chooseSpeaker, type Candidate } from "./speakers.ts";
import { networkSubject } from "./subjects.ts";
import type { Target } from "./target.ts";

/** Sees to it that each network has a speaker, and that its facts grow old when it has none. */

/** Chooses the speaker of a network; `evenIfSame` also takes in what changed about the present one. */
export function elect(fleet: Fleet, network: string | undefined, evenIfSame = false): void {
  const members = fleet.networks.get(network ?? "")?.members;
  if (network === undefined || members === undefined) return;
  const before = fleet.speakers.get(network);
  const chosen = chooseSpeaker(
    members.map((member) => candidate(fleet, member)),
    fleet.clock.now(),
  );
  if (chosen === before && !evenIfSame) return;
  if (chosen === undefined) fleet.speakers.delete(network);
  else fleet.speakers.set(network, chosen);
  if (chosen !== before) fleet.log.info({ network, speaker: chosen, before }, "speaker of the network changed");
  for (const name of new Set([before, chosen])) {
    const target = fleet.targets.get(name ?? "");
    if (target === undefined) continue;
    target.speaksFor = name === chosen ? networkSubject(fleet.config, target.subject) : undefined;
    plan(fleet, target);
  }
  for (const topic of fleet.topics.network) {
    if (chosen !== undefined) readNetwork(fleet, topic, network, false);
    else if (Object.keys(topic.needs).length === 0) fleet.reader.hide(topic, networkKey(network));
  }
}

/**
 * Chooses anew when the speaker itself may have changed, or there is none. What changes about others can wait for the
 * next tick: in a large fleet there is always one that has just answered.
 */
export function reconsider(fleet: Fleet, { config, subject }: Target): void {
  const speaker = fleet.speakers.get(subject.network ?? "");
  if (speaker === undefined || speaker === config.name) elect(fleet, subject.network);
}

function candidate({ store }: Fleet, { config, up, behindSince }: Target): Candidate {
  const answer = store.of(nodeKey(config.name), IsBootstrapped.id)?.get("P")?.value as
    { isBootstrapped: boolean } | undefined;
  return { name: config.name, up: up === true, bootstrapped: answer?.isBootstrapped, behindSince };
}

/** Removes answers about networks that nobody speaks for once three intervals have passed. */
export function expireUnspoken({ networks, speakers, store, catalogue, config, reader }: Fleet, now: number): void {
  for (const network of networks.keys()) {
    if (speakers.has(network)) continue;
    const owner = networkKey(network);
    for (const id of store.endpoints(owner)) {
      const every = config.endpoints[id]?.every ?? catalogue.endpoints.find((each) => each.id === id)?.every ?? 0;
      for (const [key, { answeredAt }] of [...(store.of(owner, id) ?? [])]) {
        // Nobody asks for it any more, so there is neither a deadline to wait for nor a failure to count.
        if (isExpired(answeredAt, now, every, 0, 0)) store.delete(owner, id, key);
      }
      if (store.of(owner, id) !== undefined) continue;
      for (const topic of catalogue.topicsByEndpoint.get(id) ?? [])
        if (topic.scope === "network") reader.hide(topic, owner);
    }
  }
}

/** Forgets a network that no node belongs to any more. */
export function silence({ speakers, uncompared, comparedAt, highest, store, reader }: Fleet, network: string): void {
  speakers.delete(network);
  uncompared.delete(network);
  comparedAt.delete(network);
  highest.delete(network);
  store.deleteOwner(networkKey(network));
  reader.forget(networkKey(network));
}
