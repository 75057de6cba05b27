import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyOf, createPieces, holds, type Block, type Content, type Pieces } from "../../src/exposition/pieces.ts";

const LIMITS = { split: 40, join: 10 };

function content(text: string): Content {
  return { source: text, at: 0, bytes: Buffer.byteLength(text) };
}

function block(family: number, target: string, text: string): Block {
  return { family, target, content: content(text), series: 1, piece: undefined };
}

function bodies(pieces: Pieces<object>): string[] {
  return pieces.snapshot().map(({ lines }) => bodyOf(lines).toString());
}

function filled(count: number): { pieces: Pieces<object>; blocks: Block[] } {
  const pieces = createPieces<object>(LIMITS, () => ({}));
  const blocks = Array.from({ length: count }, (_, i) => block(0, String(i).padStart(3, "0"), "12345678\n"));
  for (const each of blocks) pieces.insert(each);
  return { pieces, blocks };
}

test("every piece is within the limits", () => {
  const sizes = bodies(filled(50).pieces).map((body) => body.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50 * 9);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);
});

test("a change replaces only its piece", () => {
  const { pieces, blocks } = filled(50);
  const before = pieces.snapshot();
  pieces.change(blocks[20] as Block, content("abcdefgh\n"), 1);
  const after = pieces.snapshot();
  expect(after.length).toBe(before.length);
  expect(after.filter((each, i) => each !== before[i]).map(({ lines }) => bodyOf(lines).includes("abcdefgh"))).toEqual([
    true,
  ]);
});

test("a change does not affect earlier snapshots", () => {
  const { pieces, blocks } = filled(3);
  const before = pieces.snapshot();
  pieces.change(blocks[1] as Block, content("abcdefgh\n"), 1);
  expect(bodies(pieces).join("")).toBe("12345678\nabcdefgh\n12345678\n");
  expect(before.map(({ lines }) => bodyOf(lines).toString()).join("")).toBe("12345678\n12345678\n12345678\n");
});

test("a content is the same text before and after it is joined, in any order of snapshots", () => {
  const { pieces, blocks } = filled(3);
  const before = pieces.snapshot();
  pieces.change(blocks[1] as Block, content("abcdefgh\n"), 1);
  const after = pieces.snapshot();
  const texts = [after, before].map((each) => each.map(({ lines }) => bodyOf(lines).toString()).join(""));
  expect(texts).toEqual(["12345678\nabcdefgh\n12345678\n", "12345678\n12345678\n12345678\n"]);
  expect(blocks.map((each) => holds(each.content, "12345678\n"))).toEqual([true, false, true]);
  expect(bodies(pieces).join("")).toBe(texts[0]);
});

test("pieces are joined when blocks are removed, and disappear with the last block", () => {
  const { pieces, blocks } = filled(50);
  for (const each of blocks.slice(3)) pieces.remove(each);
  expect(bodies(pieces)).toEqual(["12345678\n".repeat(3)]);
  for (const each of blocks.slice(0, 3)) pieces.remove(each);
  expect(bodies(pieces)).toEqual([]);
});

test("a block above the limit has its own piece", () => {
  const { pieces } = filled(8);
  const large = `${"x".repeat(200)}\n`;
  pieces.insert(block(0, "0035", large));
  expect(bodies(pieces).filter((body) => body.includes("x"))).toEqual([large]);
});

test("the start of each family is marked, across pieces", () => {
  const pieces = createPieces<object>(LIMITS, () => ({}));
  for (const [family, target] of [
    [1, "b"],
    [0, "a"],
    [1, "a"],
    [2, "a"],
  ] as const) {
    pieces.insert(block(family, target, `${family}${target} is long enough\n`));
  }
  const headers = pieces
    .snapshot()
    .flatMap(({ runs, opens }) => (opens ? runs : runs.slice(1)).map(({ family }) => family));
  expect(headers).toEqual([0, 1, 2]);
});

test("a piece is replaced when the piece with its family's header is removed", () => {
  const pieces = createPieces<object>(LIMITS, () => ({}));
  const blocks = ["a", "b", "c", "d"].map((target) => block(0, target, `${target} is long enough to fill it\n`));
  for (const each of blocks) pieces.insert(each);
  expect(pieces.snapshot().map(({ opens }) => opens)).toEqual([true, false, false, false]);
  pieces.remove(blocks[0] as Block);
  expect(pieces.snapshot().map(({ opens }) => opens)).toEqual([true, false, false]);
});

const operation = fc.record({
  family: fc.nat(3),
  target: fc.constantFrom("a", "b", "c", "d", "é", "Z", "\u{1f53a}", "\uffee"),
  text: fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => (text === "" ? "" : `${text}\n`)),
});

test("the bodies contain all texts in order after any changes", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const pieces = createPieces<object>(LIMITS, () => ({}));
      const model = new Map<string, { block: Block; text: string }>();
      for (const { family, target, text } of operations) {
        const key = `${family}${target}`;
        const known = model.get(key);
        if (text === "" && known !== undefined) {
          pieces.remove(known.block);
          model.delete(key);
        } else if (text !== "" && known !== undefined) {
          pieces.change(known.block, content(text), 1);
          model.set(key, { block: known.block, text });
        } else if (text !== "") {
          const made = block(family, target, text);
          pieces.insert(made);
          model.set(key, { block: made, text });
        }
        const keys = [...model.keys()].sort();
        expect(bodies(pieces).join("")).toBe(
          keys
            .map((each) => model.get(each)?.text)
            .join("")
            .toWellFormed(),
        );
      }
    }),
  );
});
