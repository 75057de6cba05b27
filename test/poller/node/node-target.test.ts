import { describe, expect, it } from "vitest";
import { REASON_NAMES, type Failure } from "../../../src/api/reasons.ts";
import { NodeId } from "../../../src/api/node/info.ts";
import { newPoll } from "../../../src/poller/poll/poll.ts";
import { upAfter } from "../../../src/poller/node/node-target.ts";

const NOW = 1_800_000_000;
const after = (answeredAt: number | undefined, failure: Failure | undefined) =>
  upAfter({ answeredAt, up: undefined, polls: new Map() }, failure, NOW);

describe("a node is up", () => {
  it("after an answer", () => {
    expect(after(undefined, undefined)).toBe(true);
  });

  it("until the connection is lost or another node answers", () => {
    const atOnce = REASON_NAMES.filter((reason) => !after(NOW - 1, { reason, message: "" }));
    expect(atOnce).toEqual(["refused", "dns", "reset", "tls", "unreachable", "wrong_node"]);
  });

  it("while it answers with errors of its own, for however long", () => {
    const proofs = REASON_NAMES.filter((reason) => after(NOW - 3600, { reason, message: "" }));
    expect(proofs).toEqual(["host_forbidden", "not_bootstrapped", "rpc_error", "unsupported"]);
  });

  it("for half a minute without an answer", () => {
    const timeout: Failure = { reason: "timeout", message: "" };
    expect(after(NOW - 30, timeout)).toBe(true);
    expect(after(NOW - 30.1, timeout)).toBe(false);
    expect(after(undefined, timeout)).toBe(false);
  });

  it("by its first answer: what failed before is unknown until every poll was tried, but for a lost connection", () => {
    const polls = new Map([
      ["a", newPoll({ endpoint: NodeId, key: "", owner: "", every: 1, timeout: 1, phase: 0 }, NOW)],
    ]);
    const first = { answeredAt: undefined, up: undefined, polls };
    const missing: Failure = { reason: "http_status", message: "", status: 404 };
    expect(upAfter(first, missing, NOW)).toBeUndefined();
    expect(upAfter({ ...first, up: false }, missing, NOW)).toBe(false);
    expect(upAfter(first, { reason: "refused", message: "" }, NOW)).toBe(false);
  });
});
