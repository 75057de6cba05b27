import { bls12_381 } from "@noble/curves/bls12-381.js";
import { describe, expect, test } from "vitest";
import { cb58, digest } from "../../../simulator/encoding/ids.ts";
import type { SimulatorOptions } from "../../../simulator/simulate.ts";
import { result } from "../ask.ts";
import { run } from "../running.ts";

/** Keys of validators as a client of a real node reads them: the library decodes and verifies, and shares no code with the answers. */

const { longSignatures } = bls12_381;
const POSSESSION = "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
const bytesOf = (text: string): Uint8Array => {
  expect(text).toMatch(/^0x([0-9a-f]{2})+$/);
  return Buffer.from(text.slice(2), "hex");
};

/** Decodes a public key as a client does: a point of the curve, in the subgroup, and not zero. */
function expectPublicKey(text: string): void {
  const bytes = bytesOf(text);
  expect(bytes).toHaveLength(48);
  const point = bls12_381.G1.Point.fromBytes(bytes);
  point.assertValidity();
  expect(point.isTorsionFree()).toBe(true);
  expect(point.is0()).toBe(false);
}

function verifies(publicKey: string, proof: string): boolean {
  const [key, signature] = [bytesOf(publicKey), bytesOf(proof)];
  expect(signature).toHaveLength(96);
  return longSignatures.verify(signature, longSignatures.hash(key, POSSESSION), key);
}

type Signer = {
  readonly publicKey: string;
  /** The specification misspells the name. */
  readonly proofOfPossession?: string;
  readonly proofOfPosession?: string;
};
type Record = { readonly nodeID: string; readonly signer?: Signer; readonly publicKey?: string };
const validatorsOf = async (url: string, subnetID?: string): Promise<readonly Record[]> =>
  (await result<{ validators: readonly Record[] }>(url, "platform.getCurrentValidators", { subnetID })).validators;

describe.each<readonly [string, SimulatorOptions]>([
  ["avalanchego", {}],
  ["spec", { dialect: "spec" }],
  ["another seed", { seed: 77 }],
])("%s", (_, options) => {
  test("every key is a point of the subgroup, every proof verifies, and records agree with the nodes", async () => {
    const { simulation, url, nodeId } = await run({ nodes: 2, validators: 8, ...options });
    const primary = await validatorsOf(url(1));
    const signers = new Map(primary.flatMap(({ nodeID, signer }) => (signer === undefined ? [] : [[nodeID, signer]])));
    expect(signers.size).toBe(7);
    expect(new Set([...signers.values()].map(({ publicKey }) => publicKey)).size).toBe(7);
    for (const { publicKey, proofOfPossession, proofOfPosession } of signers.values()) {
      expectPublicKey(publicKey);
      expect(verifies(publicKey, proofOfPossession ?? proofOfPosession ?? "")).toBe(true);
    }
    for (const node of [1, 2]) {
      const own = await result<{ nodeID: string; nodePOP: Signer }>(url(node), "info.getNodeID");
      const { publicKey, proofOfPossession = "" } = own.nodePOP;
      expect(own.nodeID).toBe(nodeId(node));
      expect(publicKey).toBe(signers.get(own.nodeID)?.publicKey);
      expect(verifies(publicKey, proofOfPossession)).toBe(true);
    }
    const l1 = await validatorsOf(url(1), simulation.subnets[1]?.id);
    expect(l1).toHaveLength(10);
    for (const { nodeID, publicKey = "" } of l1) {
      expectPublicKey(publicKey);
      expect(publicKey).toBe(signers.get(nodeID)?.publicKey ?? publicKey);
    }
  });
});

test.each([
  ["12", 12],
  [12, 12],
  [null, 0],
  [undefined, 0],
])("%j is an unsigned integer of 64 bits: %d", async (height, expected) => {
  const { url } = await run();
  const question = { height, encoding: "json" };
  expect(await result(url(1), "platform.getBlockByHeight", question)).toMatchObject({ block: { height: expected } });
});

test("a block is encoded as hex with and without checksum, as the node's Go client asks", async () => {
  const { url } = await run();
  const blockIn = (encoding?: string) =>
    result<{ block: string; encoding: string }>(url(1), "platform.getBlockByHeight", { height: "12", encoding });
  const [hex, hexnc, hexc] = [await blockIn(), await blockIn("hexNC"), await blockIn("hexc")];
  expect(hexnc.encoding).toBe("hexnc");
  expect(hex.block.slice(0, -8)).toBe(hexnc.block);
  expect(hex.encoding).toBe("hex");
  expect(hexc).toEqual({ block: hex.block, encoding: "hexc" });
});

test("an address is accepted as 20 bytes in cb58, as the node's Go client sends it", async () => {
  const { simulation, url } = await run();
  const short = cb58(digest(1, "owner", 0).subarray(0, 20));
  const balanceIn = (address = "") => result(url(1), "platform.getBalance", { addresses: [address] });
  const balance = await balanceIn(simulation.wallets[0]?.p);
  expect(balance).toMatchObject({ balance: "29993773699611574" });
  expect(await balanceIn(short)).toEqual(balance);
});
