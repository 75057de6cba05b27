import { describe, expect, it } from "vitest";
import { chooseReferenceNode, type Candidate } from "../../../src/poller/node/references.ts";

const NOW = 1_800_000_000;
const able = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  name,
  up: true,
  bootstrapped: true,
  behindSince: undefined,
  ...more,
});

describe("chooseReferenceNode", () => {
  it("chooses the first node of the configuration that is up and bootstrapped", () => {
    expect(chooseReferenceNode([able("a"), able("b")], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", { up: false }), able("b")], NOW)).toBe("b");
    expect(chooseReferenceNode([able("a", { bootstrapped: false }), able("b")], NOW)).toBe("b");
    expect(chooseReferenceNode([able("a", { bootstrapped: undefined }), able("b")], NOW)).toBe("b");
  });

  it("tolerates a lag for a minute", () => {
    expect(chooseReferenceNode([able("a", { behindSince: NOW - 59 }), able("b")], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", { behindSince: NOW - 60 }), able("b")], NOW)).toBe("b");
  });

  it("prefers a node that is behind to none", () => {
    const behind = { behindSince: NOW - 600 };
    expect(chooseReferenceNode([able("a", behind), able("b", behind)], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", behind), able("b", { up: false })], NOW)).toBe("a");
  });

  it("is undefined when no node is up and bootstrapped", () => {
    expect(chooseReferenceNode([], NOW)).toBeUndefined();
    expect(chooseReferenceNode([able("a", { up: false }), able("b", { bootstrapped: false })], NOW)).toBeUndefined();
  });
});
