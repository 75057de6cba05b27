import type { Topic } from "../../topics/define/topic.ts";
import type { Log } from "../../runtime/log.ts";
import { confirmedAt, type RememberedState } from "./memory.ts";

/** A state with its topic, which can save it; or a remembered one, which was not used yet. */
type Held = { readonly topic: Topic; readonly state: unknown } | RememberedState;

/** The states of topics that count, by node or network. */
export class TopicStates {
  readonly #log: Pick<Log, "warn">;
  /** By target, then by topic. */
  readonly #states = new Map<string, Map<string, Held>>();

  constructor(log: Pick<Log, "warn">) {
    this.#log = log;
  }

  /** Adds remembered states. */
  recall(remembered: readonly RememberedState[]): void {
    for (const each of remembered) this.#hold(each.of, each.topic, each);
  }

  /** The state after the last answer, else the remembered one, else the start. */
  get(topic: Topic, target: string): unknown {
    const held = this.#states.get(target)?.get(topic.id);
    if (held === undefined) return topic.start?.();
    return "of" in held ? this.#restored(topic, held) : held.state;
  }

  /** Replaces the state. */
  put(topic: Topic, target: string, state: unknown): void {
    this.#hold(target, topic.id, { topic, state });
  }

  /** Forgets the states of a target. */
  forget(target: string): void {
    this.#states.delete(target);
  }

  /** Forgets the states of a target, but remembers those that topics save. */
  setAside(target: string, now: number): void {
    const saved = this.#savedOf(target, now);
    this.#states.delete(target);
    this.recall(saved);
  }

  /** The states that topics save, those included that were remembered and not used yet. */
  saved(now: number): readonly RememberedState[] {
    return [...this.#states.keys()].flatMap((target) => this.#savedOf(target, now));
  }

  #hold(target: string, topic: string, held: Held): void {
    this.#states.set(target, (this.#states.get(target) ?? new Map<string, Held>()).set(topic, held));
  }

  #restored({ id, start, saved }: Topic, { of: target, state }: RememberedState): unknown {
    try {
      return saved === undefined ? start?.() : saved.restore(state);
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
      this.#states.get(target)?.delete(id);
      this.#log.warn({ topic: id, of: target, why }, "a remembered state is unusable and ignored");
      return start?.();
    }
  }

  #savedOf(target: string, now: number): readonly RememberedState[] {
    return [...(this.#states.get(target)?.values() ?? [])].flatMap((held) => {
      if ("of" in held) return [held];
      const { id, saved } = held.topic;
      if (saved === undefined) return [];
      return [{ of: target, topic: id, state: saved.save(held.state as never), confirmedAt: confirmedAt(now) }];
    });
  }
}
