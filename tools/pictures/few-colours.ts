import { readFile, writeFile } from "node:fs/promises";
import UPNG from "upng-js";

const COLOURS = 160;

/** Writes a picture anew with few colours: a third of its size, and dashboards do not have many more. */
export async function withFewColours(file: string): Promise<void> {
  const { pixels, width, height } = await decoded(file);
  await writeFile(file, Buffer.from(UPNG.encode([pixels], width, height, COLOURS)));
}

/** Writes the upper part of a picture, `height` pixels of it, to another file. */
export async function writeTop(file: string, height: number, to: string): Promise<void> {
  const { pixels, width } = await decoded(file);
  await writeFile(to, Buffer.from(UPNG.encode([pixels.slice(0, width * height * 4)], width, height, COLOURS)));
}

async function decoded(file: string) {
  const { buffer, byteOffset, byteLength } = await readFile(file);
  const image = UPNG.decode(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  const [pixels] = UPNG.toRGBA8(image);
  if (pixels === undefined) throw new Error(`${file} is no picture`);
  return { pixels, width: image.width, height: image.height };
}
