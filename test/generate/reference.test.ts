import { describe, expect, it } from "vitest";
import { endpointsReference } from "../../generate/reference.ts";

/** The remarks about the log of a node, by endpoint. */
function traces(): Readonly<Record<string, string>> {
  const rows = endpointsReference()
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | "));
  return Object.fromEntries(
    rows.flatMap(([id = "", ...rest]): Array<readonly [string, string]> => {
      const trace = /Log: (.*?) \|$/.exec(rest.at(-1) ?? "")?.[1];
      return trace === undefined ? [] : [[id.replaceAll(/[|` ]/g, ""), trace]];
    }),
  );
}

describe("the reference of endpoints", () => {
  it("has what polls write into a node's log, and claims nothing else", () => {
    const found = traces();
    expect(Object.keys(found).sort()).toEqual([
      "evm.head",
      "evm.proof",
      "health",
      "health.readiness",
      "health.subnet",
      "info.getTxFee",
    ]);
    expect(found["health"]).toBe("A node that is unhealthy writes a WARN line with its checks at each poll.");
    expect(found["evm.head"]).toContain("does not serve `txpool_status`");
    expect(endpointsReference()).toContain(
      "writes into the node's log, at the node's default level, only where the remarks",
    );
    expect(endpointsReference()).not.toContain("no trace");
  });
});
