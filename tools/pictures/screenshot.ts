import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A window of Chromium, in pixels, and where its picture goes. */
export type Window = {
  readonly width: number;
  readonly height: number;
  readonly file: string;
  /** Further flags of Chromium. */
  readonly flags?: readonly string[];
};

/** Writes the picture of a page. */
export async function screenshot(url: string, { width, height, file, flags = [] }: Window): Promise<void> {
  await chromium([...flags, `--window-size=${width},${height}`, `--screenshot=${file}`, url]);
}

/** The height that a page says it has, in `data-height` of its body. */
export async function heightOfPage(url: string, width: number): Promise<number> {
  const dom = await chromium([`--window-size=${width},1000`, "--dump-dom", url]);
  return Number(/data-height="(\d+)"/.exec(dom)?.[1] ?? 1000);
}

async function chromium(flags: readonly string[]): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), "avax-pictures-"));
  const child = spawn(
    "chromium",
    [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      `--user-data-dir=${profile}`,
      ...flags,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  if (code !== 0) throw new Error(`chromium ended with ${String(code)}: ${errors.slice(-500)}`);
  return output;
}
