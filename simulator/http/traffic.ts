import { calledMethod } from "../world/rpc.ts";
import type { Request } from "../world/wire.ts";

/** Log of requests, for tests. */

export type RequestRecord = {
  readonly node: number;
  readonly method: string;
  readonly path: string;
  readonly rpc?: string;
};

type Traffic = {
  record(node: number, request: Request): void;
  /** The last requests, oldest first. */
  recent(): ReadonlyArray<RequestRecord>;
  count(node: number | "all", rpcOrPath: string): number;
};

const MAX_RECORDS = 10_000;

/** Counts by method name and by path; each call of a batch counts. */
export function createTraffic(): Traffic {
  const ring: RequestRecord[] = [];
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
      ring[next % MAX_RECORDS] = { node, method, path, ...(names[0] === undefined ? {} : { rpc: names.join(",") }) };
      next += 1;
    },
    recent: () =>
      next <= MAX_RECORDS ? [...ring] : [...ring.slice(next % MAX_RECORDS), ...ring.slice(0, next % MAX_RECORDS)],
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
