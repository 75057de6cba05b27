import { expect, test } from "vitest";
import { onDemand } from "../../src/diagnosis/on-demand.ts";
import { fakeClock } from "../support/fake-clock.ts";

/** How often it is computed for someone who asks each second. @param took seconds that it takes */
async function computed(took: number, seconds: number): Promise<number> {
  const clock = fakeClock();
  let count = 0;
  const ask = onDemand(clock, async () => {
    count += 1;
    if (took > 0) await new Promise<void>((resolve) => clock.after(took, resolve));
  });
  for (let second = 0; second < seconds; second += 1) {
    void ask();
    await clock.pass(0);
    await clock.pass(1);
  }
  return count;
}

test.each([
  ["at once is made each second", 0, 300],
  ["in 0.2 s takes a fiftieth of the time, whoever asks", 0.2, 28],
  ["in 3 s is made again after 30 s", 3, 10],
])("what is computed %s", async (_, took, times) => {
  expect(await computed(took, 300)).toBe(times);
});
