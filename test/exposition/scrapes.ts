import { gunzipSync, inflateRawSync } from "node:zlib";
import { expect } from "vitest";
import { createExposition, type Exposition, type ScrapeOptions } from "../../src/exposition/exposition.ts";
import type { Family } from "../../src/exposition/sample.ts";
import { deflatePiece, type Compress } from "../../src/exposition/gzip.ts";

export const FAMILIES: readonly Family[] = [
  { name: "avax_up", help: "Whether it is up.", type: "gauge" },
  { name: "avax_blocks_total", help: "Blocks.", type: "counter" },
  { name: "avax_node_info", help: 'What the node "is".', type: "info" },
  { name: "avax_delay_seconds", help: "Delay.", type: "gauge" },
];

export function lines(family: string, target: string, count: number, value = 1): string {
  return Array.from({ length: count }, (_, i) => `${family}{node="${target}",i="${i}"} ${value}\n`).join("");
}

export async function text(exposition: Exposition, options: Partial<ScrapeOptions> = {}): Promise<string> {
  const { chunks, bytes } = await exposition.scrape({ format: "text", ...options, gzip: false });
  const whole = Buffer.concat(chunks);
  expect(bytes).toBe(whole.length);
  return whole.toString();
}

/** Decompresses, and checks that there is exactly one gzip member. */
export async function unzipped(exposition: Exposition, options: Partial<ScrapeOptions> = {}): Promise<string> {
  const { chunks, bytes } = await exposition.scrape({ format: "text", ...options, gzip: true });
  const whole = Buffer.concat(chunks);
  expect(bytes).toBe(whole.length);
  const { engine } = inflateRawSync(whole.subarray(10), { info: true }) as unknown as {
    engine: { bytesWritten: number };
  };
  expect(engine.bytesWritten).toBe(whole.length - 18);
  return gunzipSync(whole).toString();
}

export function counting(): { compress: Compress; count: () => number } {
  let count = 0;
  return {
    compress: (...args) => {
      count++;
      return deflatePiece(...args);
    },
    count: () => count,
  };
}

/** 4 families of 200 targets with 20 lines each: about 600 KB. */
export function large(compress?: Compress): Exposition {
  const exposition = createExposition(FAMILIES, compress);
  for (const { name } of FAMILIES) {
    for (let i = 0; i < 200; i++) exposition.set(name, `node-${i}`, lines(name, `node-${i}`, 20), 20);
  }
  return exposition;
}
