import { constants, crc32, deflateRaw, gzip } from "node:zlib";

/**
 * One ordinary gzip member out of pieces that were compressed apart: each piece is raw deflate that ends in a sync flush,
 * hence on a byte boundary and without a final block, so pieces can follow one another; the checksum of the whole is
 * combined from theirs. A piece may be told what text goes before it: a reader has that text at hand when it gets there.
 */

/** Compresses to raw deflate that ends in a sync flush. Matches may reach back into `dictionary`, the text before it. */
export type Compress = (data: Buffer, dictionary?: Buffer) => Promise<Buffer>;

export type Deflated = {
  readonly data: Buffer;
  /** CRC-32 and length in bytes of what was compressed. */
  readonly crc: number;
  readonly bytes: number;
  /** What a checksum is multiplied by when so many bytes follow. */
  readonly shift: number;
};

const LEVEL = 6;
/** As far back as a match can reach, in bytes. */
export const WINDOW = 32 * 1024;
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Compresses in zlib's thread pool, not on the event loop. */
export const deflatePiece: Compress = (data, dictionary) =>
  new Promise((resolve, reject) => {
    const options = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH };
    const window = dictionary === undefined || dictionary.length === 0 ? {} : { dictionary: dictionary };
    deflateRaw(data, { ...options, ...window }, (error, deflated) => {
      if (error) reject(error);
      else resolve(exactly(deflated));
    });
  });

/** Compresses the whole at once, in zlib's thread pool. */
export function gzipWhole(data: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(data, { level: LEVEL }, (error, zipped) => {
      if (error) reject(error);
      else resolve(zipped);
    });
  });
}

/** zlib answers with a view of a larger buffer, which a cached piece would hold on to. */
function exactly(data: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(data.length);
  data.copy(copy);
  return copy;
}

/** Compresses one piece and takes its checksum. */
export async function deflate(data: Buffer, compress: Compress, dictionary?: Buffer): Promise<Deflated> {
  const deflated = await compress(data, dictionary);
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

/** A stored block with the mark of the last one. */
function finalBlock(data: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt16LE(data.length, 1);
  head.writeUInt16LE(data.length ^ 0xffff, 3);
  return Buffer.concat([head, data]);
}

/*
 * CRC-32 is a remainder of polynomials over GF(2), so the checksum of two texts in a row is that of the first times
 * x^(8 × length of the second), plus that of the second. Bit 31 stands for x^0: zlib's reflected order.
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
const POWERS: readonly number[] = powers();

function powers(): number[] {
  const all: number[] = [];
  for (let k = 0, power = ONE >>> 8; k < 48; k++, power = multiply(power, power)) all.push(power);
  return all;
}

/** x^(8 × bytes): the factor of a checksum that so many bytes follow. */
function shiftBy(bytes: number): number {
  let factor = ONE;
  for (let k = 0, rest = bytes; rest > 0; k++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factor = multiply(POWERS[k] ?? ONE, factor);
  }
  return factor;
}

/** The checksum of two texts in a row from that of each, and the length of the second in bytes. */
export function combineCrc(first: number, second: number, bytes: number): number {
  return (multiply(shiftBy(bytes), first) ^ second) >>> 0;
}
