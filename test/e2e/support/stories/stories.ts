import { STORIES_OF_NETWORKS } from "./stories-of-networks.ts";
import { STORIES_OF_NODES } from "./stories-of-nodes.ts";
import { STORIES_OF_STAKES } from "./stories-of-stakes.ts";
import type { Story } from "./story.ts";

const ALL: readonly Story[] = [...STORIES_OF_NODES, ...STORIES_OF_NETWORKS, ...STORIES_OF_STAKES];

/** Those of an exporter without memory, which have a run of their own. */
export const isForgetful = ({ forgetful }: Story): boolean => forgetful === true;

/**
 * The stories with these names (comma-separated), or all.
 * @param until the minute at which they end at the latest
 * @throws for a name that no story has
 */
export function chosenStories(names: string | undefined, until = Infinity): readonly Story[] {
  return named(names).map((story) => ({ ...story, ends: Math.min(story.ends, until) }));
}

function named(names: string | undefined): readonly Story[] {
  if (names === undefined || names === "") return ALL;
  return names.split(",").map((name) => {
    const story = ALL.find((each) => each.name === name);
    if (story === undefined) throw new Error(`no story ${name}: there are ${ALL.map((each) => each.name).join(", ")}`);
    return story;
  });
}
