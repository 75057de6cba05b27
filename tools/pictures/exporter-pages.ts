import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/e2e/support/recording-server.ts";
import { withFewColours } from "./few-colours.ts";
import { screenshot } from "./screenshot.ts";

/** The first alerts of the demo fire after some seconds, the last after minutes. */
const SETTLED = 75_000;
const WINDOW = { width: 1280, height: 900 };

/** Draws the status page and the page of a validator of the demo, as its user sees them. */
export async function drawExporterPages(folder: string): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const args = ["bin/avax-exporter.mjs", "demo", `--web.listen-address=${address}`];
  const demo = spawn(process.execPath, args, { stdio: "ignore" });
  try {
    await sleep(SETTLED);
    for (const [theme, flags] of [
      ["light", []],
      ["dark", ["--force-dark-mode"]],
    ] as const)
      for (const [name, path] of [
        ["status", ""],
        ["validator", "validator/sim-7"],
      ] as const) {
        const file = join(folder, `${name}-page-${theme}.png`);
        await screenshot(`http://${address}/${path}`, { ...WINDOW, flags, file });
        await withFewColours(file);
        console.log(`${name}-page-${theme}.png`);
      }
  } finally {
    demo.kill();
  }
}
