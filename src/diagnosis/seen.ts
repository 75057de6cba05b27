import type { Status } from "../poller/poll/status.ts";
import type { Diagnosis } from "./finding.ts";

/** What a person reads of one look. */
export type Report = {
  readonly status: Status;
  readonly diagnosis: Diagnosis;
  /** The nodes that were to be looked at. */
  readonly nodes: ReadonlyArray<{ readonly name: string }>;
  /** Seconds that the look took. */
  readonly took: number;
  /** Whether everything was asked before time was up. */
  readonly complete: boolean;
};

/**
 * Names of the nodes of which too little is known to call them well: nobody got to them, nothing came from them yet, or
 * time was up before they were asked everything. One that is known to be down is not among them.
 */
export function unseenNodes({ status, nodes }: Report): readonly string[] {
  const targets = new Map(status.targets.map((target) => [target.name, target]));
  return nodes
    .filter(({ name }) => {
      const target = targets.get(name);
      if (target?.up === undefined) return true;
      return target.up && target.endpoints.some(({ state }) => state === "waiting");
    })
    .map(({ name }) => name);
}
