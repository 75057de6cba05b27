import { readFile, writeFile } from "node:fs/promises";
import UPNG from "upng-js";

const COLOURS = 160;

/** Writes a picture anew with few colours: a third of its size, and dashboards do not have many more. */
export async function withFewColours(file: string): Promise<void> {
  const { buffer, byteOffset, byteLength } = await readFile(file);
  const image = UPNG.decode(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  const [pixels] = UPNG.toRGBA8(image);
  if (pixels === undefined) throw new Error(`${file} is no picture`);
  await writeFile(file, Buffer.from(UPNG.encode([pixels], image.width, image.height, COLOURS)));
}
