import { expect, it } from "vitest";
import { benchOf, configOf, type Bench } from "../support/engines.ts";
import { REFUSED } from "../support/fake-client.ts";

/** A quarter of a day of changes and failures must leave nothing behind. */

/** Number of series by family, which must be the same afterwards. */
async function families(bench: Bench): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const name of (await bench.series()).keys()) {
    const family = name.split("{")[0] ?? "";
    counts[family] = (counts[family] ?? 0) + 1;
  }
  return counts;
}

it("has the same series after six hours of nodes joining, leaving and failing", { timeout: 60_000 }, async () => {
  const stable = ["a", "b"];
  const guests = Array.from({ length: 6 }, (_, hour) => `guest${hour}`);
  const bench = benchOf([...stable, ...guests]);
  // Slower than the defaults, so that hours take seconds. The cadences have tests of their own.
  const slow = { every: 300 };
  const ids = [
    "health",
    "health.readiness",
    "health.liveness",
    "info.isBootstrapped",
    "info.peers",
    "info.uptime",
    "platform.getHeight",
    "platform.getCurrentValidators.watched",
    "platform.getCurrentValidators",
  ];
  // Its request about a node that is alone is that of another endpoint, and would count as an overlap.
  const same = { "platform.getCurrentValidators.delegators": { enabled: false } };
  const endpoints = { ...Object.fromEntries(ids.map((id) => [id, slow])), ...same };
  for (const [hour, guest] of guests.entries()) bench.node(guest).networkName = hour % 2 === 0 ? "local" : `net${hour}`;
  bench.poller.apply(configOf(stable, { endpoints }));
  await bench.run(1200);
  const before = await families(bench);
  const timers = bench.clock.waiting();
  for (const [hour, guest] of guests.entries()) {
    bench.poller.apply(configOf(hour % 3 === 0 ? [guest, ...stable] : [...stable, guest], { endpoints }));
    await bench.run(1200);
    expect(await bench.value(`avax_node_up{node="${guest}"}`)).toBe(1);
    bench.node("a").failing.set("*", REFUSED);
    await bench.run(700);
    bench.node("a").failing.clear();
    await bench.run(500);
    bench.poller.apply(configOf(stable, { endpoints }));
    await bench.run(1200);
  }
  expect(await families(bench)).toEqual(before);
  expect(Math.abs(bench.clock.waiting() - timers)).toBeLessThan(15);
  expect(bench.poller.status().networks.map(({ name }) => name)).toEqual(["local"]);
  expect(bench.counted.defects).toEqual([]);
  for (const name of [...stable, ...guests]) expect(bench.node(name).overlaps, name).toBe(0);
});
