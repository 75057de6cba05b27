import type { Answer } from "../api/endpoint.ts";

/**
 * The last answer to each question. An owner is a node or a network; a question is an endpoint and what it is asked about.
 * An answer is replaced whole and never changed.
 */
export type Store = {
  readonly put: (owner: string, endpoint: string, key: string, answer: Answer) => void;
  /** Answers of one endpoint by key; `undefined` when there is none. */
  readonly of: (owner: string, endpoint: string) => ReadonlyMap<string, Answer> | undefined;
  /** True when there was something to delete. */
  readonly delete: (owner: string, endpoint: string, key: string) => boolean;
  readonly deleteOwner: (owner: string) => void;
  /** Endpoints of an owner that have answers. */
  readonly endpoints: (owner: string) => readonly string[];
};

export function createStore(): Store {
  const owners = new Map<string, Map<string, Map<string, Answer>>>();
  return {
    put(owner, endpoint, key, answer) {
      const endpoints = owners.get(owner) ?? new Map<string, Map<string, Answer>>();
      owners.set(owner, endpoints);
      const answers = endpoints.get(endpoint) ?? new Map<string, Answer>();
      endpoints.set(endpoint, answers);
      answers.set(key, answer);
    },
    of: (owner, endpoint) => owners.get(owner)?.get(endpoint),
    delete(owner, endpoint, key) {
      const endpoints = owners.get(owner);
      const answers = endpoints?.get(endpoint);
      if (answers === undefined || !answers.delete(key)) return false;
      if (answers.size === 0) endpoints?.delete(endpoint);
      return true;
    },
    deleteOwner: (owner) => void owners.delete(owner),
    endpoints: (owner) => [...(owners.get(owner)?.keys() ?? [])],
  };
}
