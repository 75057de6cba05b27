import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Part } from "../../catalogue/part.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import type { Reader } from "../poll/reader.ts";
import type { Runner } from "../poll/runner.ts";
import type { Store } from "../poll/store.ts";
import type { Publisher } from "./publisher.ts";
import type { State } from "./state.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** What reconciling nodes and choosing reference nodes works with. */
export type Polling = {
  readonly catalogue: Catalogue;
  readonly part: Part;
  readonly state: State;
  readonly store: Store;
  readonly reader: Reader;
  readonly publisher: Publisher;
  readonly runner: Runner;
  readonly subscriptions: Subscriptions;
  readonly clock: Clock;
  readonly log: Log;
};
