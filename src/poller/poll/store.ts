import type { Answer, Source } from "../../api/endpoint.ts";

/**
 * The last answer to each question. An owner is a target or a network; a question is a source and a key. An answer is replaced,
 * never changed.
 */
export type Store = {
  readonly put: <A>(owner: string, source: Source<A>, key: string, answer: Answer<A>) => void;
  /** One answer; `undefined` when there is none. The key of a source with one question is empty. */
  readonly get: <A>(owner: string, source: Source<A>, key?: string) => Answer<A> | undefined;
  /** Answers of one source by key; `undefined` when there is none. */
  readonly all: <A>(owner: string, source: Source<A>) => ReadonlyMap<string, Answer<A>> | undefined;
  /** True when there was something to delete. */
  readonly delete: (owner: string, source: Source<unknown>, key: string) => boolean;
  readonly deleteOwner: (owner: string) => void;
};

export function createStore(): Store {
  const owners = new Map<string, Map<string, Map<string, Answer>>>();
  // `put` accepts no other type of answer for this source.
  const all = <A>(owner: string, { id }: Source<A>) =>
    owners.get(owner)?.get(id) as ReadonlyMap<string, Answer<A>> | undefined;
  return {
    all,
    get: (owner, source, key = "") => all(owner, source)?.get(key),
    put(owner, { id }, key, answer) {
      const sources = owners.get(owner) ?? new Map<string, Map<string, Answer>>();
      owners.set(owner, sources);
      const answers = sources.get(id) ?? new Map<string, Answer>();
      sources.set(id, answers);
      answers.set(key, answer);
    },
    delete(owner, { id }, key) {
      const sources = owners.get(owner);
      const answers = sources?.get(id);
      if (answers === undefined || !answers.delete(key)) return false;
      if (answers.size === 0) sources?.delete(id);
      return true;
    },
    deleteOwner: (owner) => void owners.delete(owner),
  };
}
