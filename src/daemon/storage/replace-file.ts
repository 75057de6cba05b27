import { open, rename } from "node:fs/promises";

/** Replaces a file. A crash leaves the old file or the new one, never a part: the new one is on the disk before it takes the name. */
export async function replaceFile(file: string, text: string, moveFile: typeof rename = rename): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveFile(temporary, file);
}

/** The message of an error, for a log. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}
