import { readFile } from "node:fs/promises";

/** How many files and sockets this process can open; `undefined` where the system does not show it. */
export async function openFilesLimit(file = "/proc/self/limits"): Promise<number | undefined> {
  const limits = await readFile(file, "utf8").catch(() => "");
  const found = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}
