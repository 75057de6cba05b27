import { describe, expect, it } from "vitest";
import { chooseReferenceNode, type Candidate } from "../../../src/poller/node/reference-node.ts";

const NOW = 1_800_000_000;
const able = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  name,
  up: true,
  bootstrapped: true,
  behindSince: undefined,
  ...more,
});

describe("chooseReferenceNode", () => {
  it("takes the first of the configuration that can be asked", () => {
    expect(chooseReferenceNode([able("a"), able("b")], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", { up: false }), able("b")], NOW)).toBe("b");
    expect(chooseReferenceNode([able("a", { bootstrapped: false }), able("b")], NOW)).toBe("b");
    expect(chooseReferenceNode([able("a", { bootstrapped: undefined }), able("b")], NOW)).toBe("b");
  });

  it("lets it be behind for a minute", () => {
    expect(chooseReferenceNode([able("a", { behindSince: NOW - 59 }), able("b")], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", { behindSince: NOW - 60 }), able("b")], NOW)).toBe("b");
  });

  it("prefers one that is behind to none", () => {
    const behind = { behindSince: NOW - 600 };
    expect(chooseReferenceNode([able("a", behind), able("b", behind)], NOW)).toBe("a");
    expect(chooseReferenceNode([able("a", behind), able("b", { up: false })], NOW)).toBe("a");
  });

  it("is none when none answers", () => {
    expect(chooseReferenceNode([], NOW)).toBeUndefined();
    expect(chooseReferenceNode([able("a", { up: false }), able("b", { bootstrapped: false })], NOW)).toBeUndefined();
  });
});
