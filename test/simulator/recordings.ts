import { readFileSync } from "node:fs";
import type { Simulation } from "../../src/simulator/simulate.ts";
import type { Question } from "./ask.ts";

export type Recorded = {
  readonly name: string;
  readonly request: Question;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};

export type Recording = { readonly ids: Readonly<Record<string, string>>; readonly answers: ReadonlyArray<Recorded> };

/** A recording of test/recordings by name. */
export function recording(name: string): Recording {
  const file = new URL(`../recordings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Recording;
}

/** Nodes of the simulated network that stand for recorded ones. */
export type Cast = { readonly asked: string; readonly others: ReadonlyArray<string> };

/**
 * The same request with the simulated network's names in place of the recorded network's: subnets and chains by their role, the first node by
 * the node that is asked, every other node by the cast's others in the order of appearance. The zero ID stays: nobody has it.
 */
export function translated(recorded: Recorded, ids: Recording["ids"], simulation: Simulation, cast: Cast): Question {
  const [first, second] = simulation.subnets;
  const names = { S1: first?.id, S2: second?.id, S1_CHAIN: first?.chainId, S2_CHAIN: second?.chainId };
  const others = [...cast.others];
  const replace = (text: string): string => {
    const chained = Object.entries(names).reduce((done, [key, name]) => {
      const id = ids[key];
      return id === undefined || name === undefined ? done : done.replaceAll(id, name);
    }, text);
    return chained.replace(/NodeID-(?!1111)\w+/g, () =>
      recorded.name.endsWith("node1") ? cast.asked : (others.shift() ?? cast.asked),
    );
  };
  const { request } = recorded;
  return {
    ...request,
    path: replace(request.path),
    ...(request.body === undefined ? {} : { body: replace(request.body) }),
  };
}
