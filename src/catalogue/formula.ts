import type { TargetFacts } from "../api/endpoint.ts";
import type { Context } from "./metric.ts";
import type { Member, Needs } from "./needs.ts";

/** How a derived figure is made, with an example that the reference shows and a test computes by reading the metric. */
export type Formula<D = object> = {
  /** Name of the metric. */
  readonly metric: string;
  readonly formula: string;
  /** The example in words, with its figures. */
  readonly example: string;
  /** What the example gives, worked out by hand. */
  readonly result: number;
  /** The same example as the metric is given it. */
  readonly given: () => Given<D>;
};

/** What a metric reads in an example, and which of its series the example is about. */
export type Given<D> = {
  readonly data: D;
  /** What a topic that counts or compares was given before, the oldest first. */
  readonly before?: readonly D[];
  /** What the example says of the node and of the times of the answers. */
  readonly context?: Partial<Context>;
  /** The metric's own labels; default: it has none. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** The data of an example that compares nodes: of each node no more is said than matters. */
export type ExampleFleet<N extends Needs> = {
  readonly members: ReadonlyArray<{
    readonly facts: Pick<TargetFacts, "node" | "nodeId">;
    readonly answers: Partial<Member<N>["answers"]>;
  }>;
};
