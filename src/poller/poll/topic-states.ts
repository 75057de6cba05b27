import type { Topic } from "../../topics/define/topic.ts";
import type { Log } from "../../runtime/events.ts";
import { confirmedAt, type RememberedState } from "./memory.ts";

/** The states of topics that count, by node or network. */
export type TopicStates = {
  /** The state after the last answer, else the remembered one, else the start. */
  readonly get: (topic: Topic, target: string) => unknown;
  readonly put: (topic: Topic, target: string, state: unknown) => void;
  readonly forget: (target: string) => void;
  /** Forgets the states of a target, but remembers those that topics save. */
  readonly setAside: (target: string, now: number) => void;
  /** Adds remembered states. */
  readonly recall: (states: readonly RememberedState[]) => void;
  /** The states that topics save, those included that were remembered and not used yet. */
  readonly saved: (now: number) => readonly RememberedState[];
};

/** A state with its topic, which can save it. */
type Held = { readonly topic: Topic; readonly state: unknown };

/** Keeps the states of topics in memory. */
export function createTopicStates(log: Log): TopicStates {
  /** By target, then by topic. */
  const states = new Map<string, Map<string, Held>>();
  const aside = new Map<string, Map<string, RememberedState>>();

  const recall: TopicStates["recall"] = (remembered) => {
    for (const each of remembered) {
      const topics = aside.get(each.of) ?? new Map<string, RememberedState>();
      aside.set(each.of, topics.set(each.topic, each));
    }
  };

  function restored({ id, start, saved }: Topic, target: string): unknown {
    const remembered = aside.get(target)?.get(id);
    if (remembered === undefined || saved === undefined) return start?.();
    try {
      return saved.restore(remembered.state);
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      aside.get(target)?.delete(id);
      log.warn({ topic: id, of: target, why }, "a remembered state is unusable and ignored");
      return start?.();
    }
  }

  function savedOf(target: string, at: number): readonly RememberedState[] {
    return [...(states.get(target)?.values() ?? [])].flatMap(({ topic: { id, saved }, state }) =>
      saved === undefined
        ? []
        : [{ of: target, topic: id, state: saved.save(state as never), confirmedAt: confirmedAt(at) }],
    );
  }

  return {
    recall,
    get(topic, target) {
      const known = states.get(target)?.get(topic.id);
      return known === undefined ? restored(topic, target) : known.state;
    },
    put(topic, target, state) {
      const known = states.get(target) ?? new Map<string, Held>();
      states.set(target, known.set(topic.id, { topic, state }));
      aside.get(target)?.delete(topic.id);
    },
    forget(target) {
      states.delete(target);
      aside.delete(target);
    },
    setAside(target, now) {
      recall(savedOf(target, now));
      states.delete(target);
    },
    saved: (now) => [
      ...[...states.keys()].flatMap((target) => savedOf(target, now)),
      ...[...aside.values()].flatMap((topics) => [...topics.values()]),
    ],
  };
}
