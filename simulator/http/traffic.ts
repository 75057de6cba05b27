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
};

const MAX_RECORDS = 10_000;

/** A batch is one request, with the names of its calls. */
export function createTraffic(): Traffic {
  const records: RequestRecord[] = [];
  return {
    record: (node, { method, path, body }) => {
      const names = method === "POST" ? calledMethods(body) : [];
      records.push({ node, method, path, ...(names[0] === undefined ? {} : { rpc: names.join(",") }) });
      if (records.length > MAX_RECORDS) records.shift();
    },
    recent: () => [...records],
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
