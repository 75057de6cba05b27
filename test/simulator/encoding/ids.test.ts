import { expect, test } from "vitest";
import { goDuration, goTime } from "../../../simulator/encoding/gotime.ts";
import {
  bech32,
  bech32Fault,
  blockId,
  heightOfBlockId,
  isId,
  isNodeId,
  makeId,
  ZERO_ID,
  ZERO_NODE_ID,
} from "../../../simulator/encoding/ids.ts";
import { recordingOf } from "../../support/recordings.ts";

test("real IDs pass the checksum, IDs with one character changed do not", () => {
  const { ids } = recordingOf("local-healthy-validator");
  for (const name of ["S1", "S2", "C_CHAIN", "X_CHAIN", "AVAX_ASSET", "SUBNET_EVM_VMID"])
    expect(isId(ids[name] ?? "")).toBe(true);
  for (const name of ["NODE1_ID", "NODE6_ID"]) expect(isNodeId(ids[name] ?? "")).toBe(true);
  expect(isId(ZERO_ID)).toBe(true);
  expect(isNodeId(ZERO_NODE_ID)).toBe(true);
  expect(isNodeId("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lh")).toBe(false);
  expect(isId("nosuch")).toBe(false);
});

test("addresses: a real one and a generated one pass, errors are as recorded", () => {
  expect(bech32Fault("local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u")).toBeUndefined();
  expect(bech32("local", Buffer.from("3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c", "hex"))).toBe(
    "local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
  );
  expect(bech32Fault("avax1nonsense")).toBe("invalid character not part of charset: 111");
});

test("a block ID contains the height", () => {
  expect(heightOfBlockId(1, "P", blockId(1, "P", 345_600))).toBe(345_600);
  expect(heightOfBlockId(1, "P", blockId(1, "C", 345_600))).toBeUndefined();
  expect(heightOfBlockId(1, "P", makeId("anything"))).toBeUndefined();
});

test("durations and times in the format of Go", () => {
  expect(
    [0, 312_500, 66_907_250, 3_500_000_000, 63_500_000_000, 3_287_702_163_721, 9_900_000_000_000].map(goDuration),
  ).toEqual(["0s", "312.5µs", "66.90725ms", "3.5s", "1m3.5s", "54m47.702163721s", "2h45m0s"]);
  expect(goTime(Date.parse("2026-11-21T11:06:45.808Z"), 155_209)).toBe("2026-11-21T11:06:45.808155209Z");
  expect(goTime(253_399_622_400_000)).toBe("9999-12-01T00:00:00Z");
});
