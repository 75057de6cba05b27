import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtxo } from "../../../src/api/node/decode-utxo.ts";
import { base58Bytes } from "../../../src/api/cb58.ts";
import { recordedAnswer, recordingOf } from "../../support/recordings.ts";

/** Bytes of a cb58 ID as hex, without the checksum. */
const idHex = (text: string): string => Buffer.from(base58Bytes(text) ?? []).toString("hex", 0, 32);

function utxosOf(name: string): readonly string[] {
  const { body } = recordedAnswer("local-healthy-validator", `ledger.getUTXOs.${name}`).response;
  return (JSON.parse(body) as { readonly result: { readonly utxos: readonly string[] } }).result.utxos;
}

const { ids } = recordingOf("local-healthy-validator");

describe("decodeUtxo", () => {
  it.each([
    ["from-P", "P_EXPORT_TO_C_7AVAX_WAITING_TX", 7_000_000_000n],
    ["from-X", "X_EXPORT_TO_C_3AVAX_WAITING_TX", 3_000_000_000n],
  ])("reads the AVAX %s with the ID of the export transaction", (name, transaction, amount) => {
    expect(utxosOf(name).map(decodeUtxo)).toEqual([
      {
        id: `${idHex(ids[transaction] ?? "")}00000001`,
        asset: idHex(ids["AVAX_ASSET"] ?? ""),
        amount,
        lockedUntil: 0n,
        stakeableOnlyUntil: 0n,
      },
    ]);
  });

  it("reads the example of the AvalancheGo documentation", () => {
    const text =
      "0x0000927eb35316470eccb02e6ce51244f004a216cd42159bdb381143dc1f740256fe000000008d6aedea449f210b86b53df01cf829430c2e33ee4fa04e87c2344a7280ac2d4500000007000000003b9aca000000000000000000000000010000000158cd04fe40090304bb818dfa3083793eef721ba8569f5bf9";
    expect(decodeUtxo(text)?.amount).toBe(1_000_000_000n);
  });

  it("has no amount for an output of another type", () => {
    const payload = Buffer.alloc(2 + 36 + 32 + 16);
    payload.writeUInt32BE(10, 70);
    const text = `0x${payload.toString("hex")}${createHash("sha256").update(payload).digest("hex").slice(56)}`;
    expect(decodeUtxo(text)).toMatchObject({ amount: undefined });
  });

  it("rejects a text with any changed hex digit", () => {
    const [text = ""] = utxosOf("from-P");
    fc.assert(
      fc.property(fc.integer({ min: 2, max: text.length - 1 }), fc.integer({ min: 1, max: 15 }), (at, change) => {
        const digit = (Number.parseInt(text.charAt(at), 16) ^ change).toString(16);
        expect(decodeUtxo(text.slice(0, at) + digit + text.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it.each(["", "0x", "0x00", "hello", "0x000"])("rejects %j", (text) => {
    expect(decodeUtxo(text)).toBeUndefined();
  });
});
