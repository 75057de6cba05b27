import { promisify } from "node:util";
import { constants, crc32, deflateRaw, gzip } from "node:zlib";

/**
 * Joins separately compressed pieces to one gzip member. Each piece is raw deflate that ends with a sync flush: on a byte
 * boundary and without a final block, so that pieces can be concatenated. Their checksums are combined. The dictionary of a
 * piece is the text before it, which a reader has already decompressed.
 */

/** Whether few bytes or little time matter more. */
export type Effort = "small" | "fast";

/** Compresses to raw deflate that ends with a sync flush. `dictionary` is the text before it. */
export type Compress = (data: Buffer, effort: Effort, dictionary?: Buffer) => Promise<Buffer>;

export type Deflated = {
  readonly data: Buffer;
  /** CRC-32 and length in bytes of the uncompressed data. */
  readonly crc: number;
  readonly bytes: number;
  /** The factor of a checksum that `bytes` more bytes follow. */
  readonly shift: number;
};

/** Level 3 takes two fifths of the time of level 6, for some 6 % more bytes of a large page. */
const LEVELS = { small: 6, fast: 3 } as const;
/** Maximum distance of a match, in bytes. */
export const WINDOW = 32 * 1024;
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const deflateAsync = promisify(deflateRaw);
const gzipAsync = promisify(gzip);

/** Compresses on the thread pool. */
export const deflatePiece: Compress = async (data, effort, dictionary) => {
  const options = { level: LEVELS[effort], finishFlush: constants.Z_SYNC_FLUSH };
  const window = dictionary === undefined || dictionary.length === 0 ? {} : { dictionary };
  const deflated = await deflateAsync(data, { ...options, ...window });
  // Copied, because zlib returns a view of a larger buffer, which a cached piece would keep in memory.
  const copy = Buffer.allocUnsafeSlow(deflated.length);
  deflated.copy(copy);
  return copy;
};

/** Compresses on the thread pool. */
export const gzipWhole = (data: Buffer): Promise<Buffer> => gzipAsync(data, { level: LEVELS.small });

/** Compresses one piece and computes its checksum. */
export async function deflate(
  data: Buffer,
  compress: Compress,
  effort: Effort,
  dictionary?: Buffer,
): Promise<Deflated> {
  const deflated = await compress(data, effort, dictionary);
  return { data: deflated, crc: crc32(data), bytes: data.length, shift: shiftBy(data.length) };
}

/** Joins pieces and at most 65,535 bytes of uncompressed `ending` to one gzip member. */
export function joinGzip(pieces: readonly Deflated[], ending: Buffer): Buffer[] {
  let crc = 0;
  let bytes = 0;
  for (const piece of pieces) {
    crc = multiply(piece.shift, crc) ^ piece.crc;
    bytes += piece.bytes;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(ending, crc >>> 0), 0);
  trailer.writeUInt32LE((bytes + ending.length) % 2 ** 32, 4);
  return [HEADER, ...pieces.map(({ data }) => data), Buffer.concat([finalBlock(ending), trailer])];
}

/** A stored block, marked as the final one. */
function finalBlock(data: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt16LE(data.length, 1);
  head.writeUInt16LE(data.length ^ 0xffff, 3);
  return Buffer.concat([head, data]);
}

/*
 * CRC-32 is a remainder of polynomials over GF(2). The checksum of two concatenated texts is the first checksum times
 * x^(8 × length of the second), plus the second. Bit 31 is x^0: zlib's reflected order.
 */

const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bits = a; bits !== 0; bits <<= 1) {
    if (bits & ONE) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product;
}

/** x^(8 × 2^k) for each k. */
const POWERS: number[] = [];
for (let k = 0, power = ONE >>> 8; k < 48; k++, power = multiply(power, power)) POWERS.push(power);

/** x^(8 × bytes). */
function shiftBy(bytes: number): number {
  let factor = ONE;
  for (let k = 0, rest = bytes; rest > 0; k++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factor = multiply(POWERS[k] ?? ONE, factor);
  }
  return factor;
}

/** The checksum of two concatenated texts from theirs. `bytes` is the length of the second. */
export function combineCrc(first: number, second: number, bytes: number): number {
  return (multiply(shiftBy(bytes), first) ^ second) >>> 0;
}
