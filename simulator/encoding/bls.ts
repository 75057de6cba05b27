import { normalizeZ } from "@noble/curves/abstract/curve.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { digest } from "./ids.ts";

/**
 * BLS keys of validators, and their proofs of possession: valid ones, because clients of real nodes reject others. Derived from the seed
 * and the index of a member. They are made when an answer first contains them, and kept for later simulations of the process.
 */

export type BlsKey = {
  /** Compressed point of G1, 48 bytes in hex. */
  readonly publicKey: string;
  /** The signature of the public key by its own secret key: compressed point of G2, 96 bytes in hex. */
  readonly proof: string;
};

const { Point } = bls12_381.G1;
type Point = typeof Point.BASE;

const POSSESSION = { DST: "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_" };

/** Bytes of a secret key. Short ones, because they protect nothing, and a signature by them is five times as fast (2 ms of 10 ms). */
const SECRET_BYTES = 6;

const secretOf = (...parts: ReadonlyArray<string | number>): bigint =>
  BigInt(digest(...parts).readUIntBE(0, SECRET_BYTES) + 1);

const HALF = (Point.Fp.ORDER - 1n) / 2n;

/** The library's own encoding checks each time that a point is in the subgroup, which takes 1 ms; multiples of the base always are. */
function encoded(normalized: Point): string {
  const { x, y } = normalized.toAffine();
  const flags = 0x80n | (y > HALF ? 0x20n : 0n);
  return `0x${((flags << 376n) | x).toString(16)}`;
}

function proofBy(secret: bigint, publicKey: string): string {
  const point = bls12_381.G2.hashToCurve(Buffer.from(publicKey.slice(2), "hex"), POSSESSION);
  return `0x${point.multiplyUnsafe(secret).toHex()}`;
}

/** Members per block of keys. */
const BLOCK = 256;
const blocks = new Map<string, readonly string[]>();

/**
 * The public keys of a block of members. Each key is the one before plus the base point, and its secret one more: 2,000 keys take 45 ms,
 * where a multiplication for each would take seconds.
 */
function keysOf(seed: number, block: number): readonly string[] {
  const name = `${seed}:${block}`;
  const known = blocks.get(name);
  if (known !== undefined) return known;
  const points: Point[] = [Point.BASE.multiplyUnsafe(secretOf(seed, "bls") + BigInt(block * BLOCK))];
  for (let last = points[0]; last !== undefined && points.length < BLOCK; points.push(last))
    last = last.add(Point.BASE);
  const keys = normalizeZ(Point, points).map(encoded);
  blocks.set(name, keys);
  return keys;
}

/** The public key of a member. No two members of a network have the same one. */
export function publicKeyOf(seed: number, index: number): string {
  return keysOf(seed, Math.floor(index / BLOCK))[index % BLOCK] ?? "";
}

/**
 * Members with a proof of their own. A proof takes 10 to 20 ms, nearly all of it to hash the key to the curve, so those of 2,000 members
 * would delay the first answer by 20 to 40 s, and these 32 delay it by 0.7 s at most. Members beyond have the proofs of these: points of
 * the curve, but not signatures of their keys. The node's Go client decodes every key of a set, and verifies no proof unless told to.
 */
const PROVEN = 32;
const proofs = new Map<string, string>();

/** The proof of possession of a member. */
export function proofOf(seed: number, index: number): string {
  const signer = index % PROVEN;
  const name = `${seed}:${signer}`;
  const proof = proofs.get(name) ?? proofBy(secretOf(seed, "bls") + BigInt(signer), publicKeyOf(seed, signer));
  proofs.set(name, proof);
  return proof;
}

const others = new Map<string, BlsKey>();
/** Maximum number of kept keys outside of the simulated validator set. */
const MAX_OTHERS = 1000;

/** A key of its own for anything that is no member, derived from the parts. */
export function otherKey(...parts: ReadonlyArray<string | number>): BlsKey {
  const name = parts.join(":");
  const known = others.get(name);
  if (known !== undefined) return known;
  const secret = secretOf("other key", ...parts);
  const publicKey = encoded(Point.BASE.multiplyUnsafe(secret));
  const made = { publicKey, proof: proofBy(secret, publicKey) };
  if (others.size >= MAX_OTHERS) others.clear();
  others.set(name, made);
  return made;
}
