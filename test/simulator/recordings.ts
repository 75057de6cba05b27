import { atomicTransactions } from "../../simulator/node/ledger.ts";
import type { Simulation } from "../../simulator/simulate.ts";
import type { RecordedAnswer, Recording } from "../support/recordings.ts";
import type { Question } from "./ask.ts";

/** Node IDs of the simulated network that replace recorded ones. */
export type Roles = { readonly asked: string; readonly others: ReadonlyArray<string> };

/**
 * A recorded request with the identifiers of the simulated network: subnets and chains by role, the first node by `asked`, every other node
 * by the next of `others`. Keeps the zero ID, which no node has.
 */
export function translated(
  recorded: RecordedAnswer,
  ids: Recording["ids"],
  simulation: Simulation,
  roles: Roles,
): Question {
  const [first, second] = simulation.subnets;
  const names = { S1: first?.id, S2: second?.id, S1_CHAIN: first?.chainId, S2_CHAIN: second?.chainId };
  const others = [...roles.others];
  const replace = (text: string): string => {
    const chained = Object.entries(names).reduce((done, [key, name]) => {
      const id = ids[key];
      return id === undefined || name === undefined ? done : done.replaceAll(id, name);
    }, text);
    const own = Object.entries(ids)
      .filter(([key]) => /^C_(EX|IM)PORT/.test(key))
      .reduce((done, [, id]) => done.replaceAll(id, atomicTransactions(1)[0] ?? ""), chained)
      .replace(/C-(local|custom)1\w+/g, simulation.wallets[0]?.c ?? "");
    return own.replace(/NodeID-(?!1111)\w+/g, () =>
      /one-node1?$/.test(recorded.name) ? roles.asked : (others.shift() ?? roles.asked),
    );
  };
  const { request } = recorded;
  return {
    ...request,
    path: replace(request.path),
    ...(request.body === undefined ? {} : { body: replace(request.body) }),
  };
}
