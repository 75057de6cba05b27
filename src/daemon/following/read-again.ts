import { unreachableFile } from "./unreachable-file.ts";
import { placesOf, recordedSources, type Reads } from "../../config/read/recorded-sources.ts";
import { nodeSources } from "../../config/read/sources.ts";

/**
 * Reads the files of a load again and returns their digests of now. Symbolic links are followed, so that a swapped link of a
 * ConfigMap is a change of content. Rejects for a mount that does not answer, which is looked at once, and for no other file.
 */
export async function readAgain(reads: Reads): Promise<Reads> {
  const hung = await unreachableFile(placesOf(reads));
  if (hung !== undefined) throw new Error(`${hung} cannot be read: its file system does not answer`);
  const again = recordedSources(nodeSources({}));
  for (const [name, { folder }] of Object.entries(reads)) {
    try {
      if (folder === undefined) again.sources.readFile(name);
      else again.sources.glob(name, folder);
    } catch {
      // Recorded as a file that cannot be read.
    }
  }
  return again.reads();
}
