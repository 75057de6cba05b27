import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReceivedBody } from "../../../src/api/transport/received-body.ts";

const KB = 1024;

describe("a received body", () => {
  it("is the text of its parts, however it is cut, beside others that arrive at the same time or were given up", () => {
    const text = fc.tuple(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 1, max: 3000 }));
    const piece = fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 40 * KB }));
    const law = (texts: ReadonlyArray<readonly [string, number]>, pieces: ReadonlyArray<readonly [number, number]>) => {
      const bodies = texts.map(([some, times]) => {
        const whole = some.replaceAll("\ufeff", "").repeat(times);
        return { whole, rest: Buffer.from(whole), body: new ReceivedBody() };
      });
      const given = new ReceivedBody();
      const feed = (each: (typeof bodies)[number] | undefined, size: number): void => {
        if (each === undefined) return;
        const part = Buffer.from(each.rest.subarray(0, size));
        each.body.add(part);
        // The memory of a part is used for the next one.
        part.fill("x");
        given.add(part);
        each.rest = each.rest.subarray(size);
      };
      for (const [index, size] of pieces) feed(bodies[index], size);
      given.drop();
      for (const each of bodies) {
        feed(each, each.rest.length);
        expect(each.body.text()).toBe(each.whole);
        each.body.drop();
      }
    };
    fc.assert(fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.array(piece, { maxLength: 12 }), law), {
      numRuns: 60,
    });
  });

  it.each([
    ["nothing", "", ""],
    ["a byte order mark", "\ufeff", ""],
    ["a text with a byte order mark", '\ufeff{"a":1}', '{"a":1}'],
    ["a text that begins like one", "\u{fee0}a", "\u{fee0}a"],
  ])("%s", (_name, sent, taken) => {
    const body = new ReceivedBody();
    body.add(Buffer.from(sent));
    expect(body.text()).toBe(taken);
  });

  it("can have many megabytes, and is empty when it was dropped", () => {
    const body = new ReceivedBody();
    const part = Buffer.alloc(3 * KB * KB, "a");
    for (let count = 0; count < 6; count++) body.add(part);
    expect(body.text()).toBe("a".repeat(18 * KB * KB));
    body.drop();
    expect(body.text()).toBe("");
  });
});
