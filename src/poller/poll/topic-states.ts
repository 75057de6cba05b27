import type { Topic } from "../../topics/define/topic.ts";
import type { Log } from "../../runtime/events.ts";
import { confirmedAt, type RememberedState } from "./memory.ts";

export type TopicStates = {
  recall: (remembered: readonly RememberedState[]) => void;
  /** The state after the last answer, else the remembered one, else the start. */
  get(topic: Topic, target: string): unknown;
  put: (topic: Topic, target: string, state: unknown) => void;
  forget: (target: string) => undefined;
  /** Forgets the states of a target, but remembers those that topics save. */
  setAside(target: string, now: number): void;
  /** The states that topics save, those included that were remembered and not used yet. */
  saved: (now: number) => RememberedState[];
};

/** A state with its topic, which can save it; or a remembered one, which was not used yet. */
type Held = { readonly topic: Topic; readonly state: unknown } | RememberedState;

/** The states of topics that count, by node or network. */
export function createTopicStates(log: Log): TopicStates {
  /** By target, then by topic. */
  const states = new Map<string, Map<string, Held>>();

  function hold(target: string, topic: string, held: Held): void {
    states.set(target, (states.get(target) ?? new Map<string, Held>()).set(topic, held));
  }

  function restored({ id, start, saved }: Topic, { of: target, state }: RememberedState): unknown {
    try {
      return saved === undefined ? start?.() : saved.restore(state);
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      states.get(target)?.delete(id);
      log.warn({ topic: id, of: target, why }, "a remembered state is unusable and ignored");
      return start?.();
    }
  }

  function savedOf(target: string, now: number): readonly RememberedState[] {
    return [...(states.get(target)?.values() ?? [])].flatMap((held) => {
      if ("of" in held) return [held];
      const { id, saved } = held.topic;
      if (saved === undefined) return [];
      return [{ of: target, topic: id, state: saved.save(held.state as never), confirmedAt: confirmedAt(now) }];
    });
  }

  /** Adds remembered states. */
  function recall(remembered: readonly RememberedState[]): void {
    for (const each of remembered) hold(each.of, each.topic, each);
  }

  return {
    recall,
    get(topic: Topic, target: string): unknown {
      const held = states.get(target)?.get(topic.id);
      if (held === undefined) return topic.start?.();
      return "of" in held ? restored(topic, held) : held.state;
    },
    put: (topic: Topic, target: string, state: unknown) => hold(target, topic.id, { topic, state }),
    forget: (target: string) => void states.delete(target),
    setAside(target: string, now: number): void {
      const saved = savedOf(target, now);
      states.delete(target);
      recall(saved);
    },
    saved: (now: number) => [...states.keys()].flatMap((target) => savedOf(target, now)),
  };
}
