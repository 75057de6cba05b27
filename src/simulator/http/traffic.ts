import { calledMethod } from "../world/rpc.ts";
import type { Request } from "../world/wire.ts";

/** What has been asked, for tests that count. */

export type Asked = { readonly node: number; readonly method: string; readonly path: string; readonly rpc?: string };

export type Traffic = {
  record(node: number, request: Request): void;
  /** The last requests, oldest first. */
  recent(): ReadonlyArray<Asked>;
  count(node: number | "all", rpcOrPath: string): number;
};

const KEPT = 10_000;

/** Counts by method name and by path; a batch counts each of its calls. */
export function createTraffic(): Traffic {
  const ring: Asked[] = [];
  const counts = new Map<string, number>();
  let next = 0;
  const add = (node: number, what: string): void => {
    for (const key of [`${node} ${what}`, `all ${what}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    record: (node, { method, path, body }) => {
      const names = method === "POST" ? calledMethods(body) : [];
      add(node, path);
      for (const name of names) add(node, name);
      ring[next % KEPT] = { node, method, path, ...(names[0] === undefined ? {} : { rpc: names.join(",") }) };
      next += 1;
    },
    recent: () => (next <= KEPT ? [...ring] : [...ring.slice(next % KEPT), ...ring.slice(0, next % KEPT)]),
    count: (node, rpcOrPath) => counts.get(`${node} ${rpcOrPath}`) ?? 0,
  };
}

function calledMethods(body: string): string[] {
  if (!body.trimStart().startsWith("[")) {
    const name = calledMethod(body);
    return name === undefined ? [] : [name];
  }
  try {
    const calls = JSON.parse(body) as unknown[];
    return calls.flatMap((call) => calledMethod(JSON.stringify(call)) ?? []);
  } catch {
    return [];
  }
}
