import { complete } from "./networks.ts";
import { STORIES_OF_HELICON } from "./stories-of-helicon.ts";
import { STORIES_OF_NETWORKS } from "./stories-of-networks.ts";
import { STORIES_OF_NODES } from "./stories-of-nodes.ts";
import { STORIES_OF_STAKES } from "./stories-of-stakes.ts";
import type { Story } from "./story.ts";

const ALL: readonly Story[] = [
  ...STORIES_OF_NODES,
  ...STORIES_OF_NETWORKS,
  ...STORIES_OF_HELICON,
  ...STORIES_OF_STAKES,
].map(complete);

/**
 * The stories that are also told to an exporter that is stopped in minutes 20 and 40, each with what it alone shows. An alert outlives a
 * restart by what the exporter keeps, by what it learns again before a `for` or a resolution, and by Prometheus: all pages of one kind
 * alike. A new kind needs a row; a new page of these kinds does not.
 */
const INTERRUPTED: Readonly<Record<string, string>> = {
  killed: "a node that does not answer has a page, which stays and is not sent twice; whose validator it is, is kept",
  forgotten: "the same, of a network that the exporter learns",
  pending: "the wait for the page goes on",
  restarted: "a node that bootstraps when the exporter returns: nothing is sent",
  "two-down": "a cause that holds back the alerts of a whole network",
  replaced: "the kept identity of a node",
  "shared-id": "kept changes of an address",
  "cut-off-killed": "one page fires and the next is pending; the first is not over while the node is silent",
  lagging: "a page is pending, and the time behind is kept",
  "dead-l1": "the kept usual pause between the blocks of a chain",
  "queries-lost": "targets that Prometheus discovers at the exporter",
  "early-end": "kept members of the validator set: one that is gone stays so",
  "planned-end": "the same, for a stake that ends while the exporter is away",
  watched: "a validator that only other nodes see",
};

/** The ways to run an exporter, each with the stories that it is told. */
export type Way = {
  readonly name: string;
  readonly stories: readonly Story[];
  /** It is stopped and started again in the middle of each story. */
  readonly interrupted: boolean;
};

export function waysOf(stories: readonly Story[]): readonly Way[] {
  const interrupted = new Set(named(Object.keys(INTERRUPTED)).map(({ name }) => name));
  const ways = [
    { name: "running", stories, interrupted: false },
    { name: "interrupted", stories: stories.filter(({ name }) => interrupted.has(name)), interrupted: true },
  ];
  return ways.filter((way) => way.stories.length > 0);
}

/**
 * The stories with these names (comma-separated), or all.
 * @param until the minute at which they end at the latest
 * @throws for a name that no story has
 */
export function chosenStories(names: string | undefined, until = Infinity): readonly Story[] {
  const stories = names === undefined || names === "" ? ALL : named(names.split(","));
  return stories.map((story) => ({ ...story, ends: Math.min(story.ends, until) }));
}

function named(names: readonly string[]): readonly Story[] {
  return names.map((name) => {
    const story = ALL.find((each) => each.name === name);
    if (story === undefined) throw new Error(`no story ${name}: there are ${ALL.map((each) => each.name).join(", ")}`);
    return story;
  });
}
