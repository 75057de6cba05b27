import { describe, expect, it } from "vitest";
import { chooseSpeaker, type Candidate } from "../../src/poller/speakers.ts";

const NOW = 1_800_000_000;
const able = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  name,
  up: true,
  bootstrapped: true,
  behindSince: undefined,
  ...more,
});

describe("chooseSpeaker", () => {
  it("takes the first of the configuration that can speak", () => {
    expect(chooseSpeaker([able("a"), able("b")], NOW)).toBe("a");
    expect(chooseSpeaker([able("a", { up: false }), able("b")], NOW)).toBe("b");
    expect(chooseSpeaker([able("a", { bootstrapped: false }), able("b")], NOW)).toBe("b");
    expect(chooseSpeaker([able("a", { bootstrapped: undefined }), able("b")], NOW)).toBe("b");
  });

  it("lets it be behind for a minute", () => {
    expect(chooseSpeaker([able("a", { behindSince: NOW - 59 }), able("b")], NOW)).toBe("a");
    expect(chooseSpeaker([able("a", { behindSince: NOW - 60 }), able("b")], NOW)).toBe("b");
  });

  it("prefers one that is behind to none", () => {
    const behind = { behindSince: NOW - 600 };
    expect(chooseSpeaker([able("a", behind), able("b", behind)], NOW)).toBe("a");
    expect(chooseSpeaker([able("a", behind), able("b", { up: false })], NOW)).toBe("a");
  });

  it("is nobody when nobody answers", () => {
    expect(chooseSpeaker([], NOW)).toBeUndefined();
    expect(chooseSpeaker([able("a", { up: false }), able("b", { bootstrapped: false })], NOW)).toBeUndefined();
  });
});
