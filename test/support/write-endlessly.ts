import type { Duplex } from "node:stream";

/** Writes the same bytes for as long as the other side reads them. */
export function writeEndlessly(stream: Duplex, bytes: Buffer): void {
  const more = (): void => {
    while (!stream.destroyed && stream.write(bytes));
    if (!stream.destroyed) stream.once("drain", more);
  };
  more();
}
