import { describe, expect, it } from "vitest";
import { Health } from "../../src/api/node/health.ts";
import { REASON_NAMES, type Failure } from "../../src/api/reasons.ts";
import { createStore } from "../../src/poller/store.ts";
import { upAfter, type Target } from "../../src/poller/target.ts";

const NOW = 1_800_000_000;
const after = (lastAnswer: number | undefined, failure: Failure | undefined) =>
  upAfter({ lastAnswer } as Target, failure, NOW);

describe("a node is up", () => {
  it("after an answer", () => {
    expect(after(undefined, undefined)).toBe(true);
  });

  it("no longer when the connection is lost or another node answers, at once", () => {
    const atOnce = REASON_NAMES.filter((reason) => !after(NOW - 1, { reason, message: "" }));
    expect(atOnce).toEqual(["refused", "dns", "reset", "tls", "unreachable", "wrong_node"]);
  });

  it("when it answers with an error of its own, however long it answers nothing else", () => {
    const proofs = REASON_NAMES.filter((reason) => after(NOW - 3600, { reason, message: "" }));
    expect(proofs).toEqual(["host_forbidden", "not_bootstrapped", "rpc_error", "unsupported"]);
  });

  it("for half a minute without an answer", () => {
    const timeout: Failure = { reason: "timeout", message: "" };
    expect(after(NOW - 30, timeout)).toBe(true);
    expect(after(NOW - 30.1, timeout)).toBe(false);
    expect(after(undefined, timeout)).toBe(false);
  });
});

describe("the store", () => {
  const answer = (value: string) => ({ value, askedAt: NOW, answeredAt: NOW + 1 });

  it("holds the last answer to each question of each owner", () => {
    const store = createStore();
    store.put("node a", Health.id, "", answer("old"));
    store.put("node a", Health.id, "", answer("new"));
    store.put("node a", Health.id, "key", answer("other"));
    store.put("node b", Health.id, "", answer("theirs"));
    expect([...(store.of("node a", Health.id) ?? [])]).toEqual([
      ["", answer("new")],
      ["key", answer("other")],
    ]);
    expect(store.endpoints("node a")).toEqual([Health.id]);
    expect(store.of("node c", Health.id)).toBeUndefined();
  });

  it("has nothing left of what was deleted", () => {
    const store = createStore();
    store.put("node a", Health.id, "", answer("x"));
    expect(store.delete("node a", Health.id, "other")).toBe(false);
    expect(store.delete("node a", Health.id, "")).toBe(true);
    expect(store.delete("node a", Health.id, "")).toBe(false);
    expect(store.of("node a", Health.id)).toBeUndefined();
    store.put("node a", Health.id, "", answer("x"));
    store.deleteOwner("node a");
    expect(store.endpoints("node a")).toEqual([]);
  });
});
