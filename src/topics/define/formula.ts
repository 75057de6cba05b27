import type { TargetFacts } from "../../api/endpoint.ts";
import type { Context } from "./metric.ts";
import type { Member, Needs } from "./needs.ts";

/** How a derived figure is computed, with an example that the reference shows and a test verifies. */
export type Formula<D = object> = {
  /** Name of the metric. */
  readonly metric: string;
  readonly formula: string;
  /** The example in words, with its figures. */
  readonly example: string;
  /** Expected value of the example, computed by hand. */
  readonly result: number;
  /** The example as input of the metric. */
  readonly given: () => Given<D>;
};

/** Input of a metric in an example, and the series that the example is about. */
export type Given<D> = {
  readonly data: D;
  /** Earlier inputs of a topic that counts or compares, oldest first. */
  readonly before?: readonly D[];
  /** The node and the times of the answers. */
  readonly context?: Partial<Context>;
  /** The metric's own labels; default: none. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** Input of an example that compares nodes, reduced to the fields that matter. */
export type ExampleFleet<N extends Needs> = {
  readonly members: ReadonlyArray<{
    readonly facts: Pick<TargetFacts, "node" | "nodeId">;
    readonly answers: Partial<Member<N>["answers"]>;
  }>;
};
