import { expect, test } from "vitest";
import { call, get, health, record as validatorRecord, result } from "../ask.ts";
import { run } from "../running.ts";

type Running = Awaited<ReturnType<typeof run>>;

const heights = ({ simulation }: Running, node: number) => simulation.state().nodes[node - 1]?.heights;
const record = ({ url, nodeId }: Running, observer: number, subject: number) =>
  validatorRecord(url(observer), nodeId(subject));
const uptime = async (running: Running, observer: number, subject: number): Promise<number> =>
  Number((await record(running, observer, subject))?.uptime);
/** Seconds of downtime between two observations of a share in percent, for a stake of this age in seconds. */
const lost = (before: number, after: number, age: number): number => ((before - after) / 100) * age;

test("a restart: down, bootstrapping, at the tip; the others keep the outage, the node itself counts none", async () => {
  const running = await run();
  const { simulation, url, pass, nodeId } = running;
  pass(60);
  const [mine, others] = [await uptime(running, 2, 1), await uptime(running, 1, 2)];
  const start = simulation.state().validators.find((each) => each.nodeId === nodeId(1))?.startTime ?? 0;
  simulation.set(1, "offline-validator");
  pass(3600);
  simulation.set(1, "bootstrapping", "1.14.2");
  pass(1);
  expect((await call(url(1), "platform.getHeight")).status).toBe(503);
  expect(await record(running, 2, 1)).toMatchObject({ connected: true });
  const peers = await result<{ peers: Array<{ nodeID: string; observedUptime: string }> }>(url(2), "info.peers");
  expect(peers.peers.find(({ nodeID }) => nodeID === nodeId(1))).toMatchObject({ observedUptime: "0" });
  pass(299);
  simulation.set(1, "healthy");
  pass(100);
  expect(heights(running, 1)).toEqual(heights(running, 2));
  const after = await uptime(running, 2, 1);
  expect(lost(mine, after, simulation.state().time - start)).toBeCloseTo(3600, -2);
  expect(await uptime(running, 1, 2)).toBeGreaterThanOrEqual(others);
  // Its process runs for less than ten minutes: the network check does not count inbound connections yet.
  const { checks } = await health(url(1));
  expect(checks["network"]?.message).not.toHaveProperty("primary network validator health");
});

test("a node that was cut off counts the others as disconnected for that time", async () => {
  const running = await run();
  const before = await uptime(running, 1, 2);
  const start = running.simulation.state().validators.find((each) => each.nodeId === running.nodeId(2))?.startTime ?? 0;
  running.simulation.set(1, "cut-off");
  running.pass(3630);
  running.simulation.set(1, "healthy");
  const age = running.simulation.state().time - start;
  expect(lost(before, await uptime(running, 1, 2), age)).toBeCloseTo(3600, -2);
  expect(await uptime(running, 3, 2)).toBeGreaterThan(99);
});

test("disk-filling: 20 % fall by 20 points an hour, the check fails below 10 %, below 3 % the process ends", async () => {
  const running = await run();
  const { simulation, url, pass, nodeId } = running;
  simulation.set(1, "disk-filling");
  const disk = async () => (await health(url(1))).checks["diskspace"];
  expect(await disk()).toMatchObject({ message: { availableDiskPercentage: 20, availableDiskBytes: 54_000_000_000 } });
  pass(30 * 60);
  expect(await disk()).toMatchObject({ message: { availableDiskPercentage: 10 } });
  expect((await disk())?.error).toBeUndefined();
  pass(30);
  expect(await disk()).toMatchObject({
    error: "remaining available disk space percentage (9%) is below warning threshold available space percentage (10%)",
    contiguousFailures: 1,
  });
  pass(20 * 60);
  expect(await disk()).toMatchObject({ message: { availableDiskPercentage: 3 }, contiguousFailures: 41 });
  pass(60);
  // The connection that notices is reset, the next one is refused.
  await expect(get(url(1), "/ext/health")).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect(get(url(1), "/ext/health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(await record(running, 2, 1)).toMatchObject({ connected: false });
  simulation.set(1, "healthy");
  await expect.poll(() => health(url(1)).then(({ status }) => status, String)).toBe(200);
  expect((await result<{ peers: unknown[] }>(url(2), "info.peers")).peers).toContainEqual(
    expect.objectContaining({ nodeID: nodeId(1) }),
  );
});

test("disk-filling: a scenario that is replaced in time ends no process", async () => {
  const { simulation, url, pass } = await run();
  simulation.set(1, "disk-filling");
  pass(40 * 60);
  simulation.set(1, "healthy");
  pass(40 * 60);
  expect((await health(url(1))).status).toBe(200);
});

test("upgrade-missed: the chains of an old release stop at the activation, and are at the tip after the installation", async () => {
  const running = await run({
    heliconTime: Date.parse("2026-11-21T12:12:00Z") / 1000,
    overrides: [{ node: 2, version: "1.14.2" }],
    scenario: [{ node: 2, name: "upgrade-missed" }],
  });
  const { simulation, url, pass, nodeId } = running;
  type Peers = { peers: Array<{ nodeID: string; version: string; upgradeTime: number }> };
  const announced = async () =>
    (await result<Peers>(url(1), "info.peers")).peers.find(({ nodeID }) => nodeID === nodeId(2));
  expect(await result(url(1), "info.upgrades")).toMatchObject({ heliconTime: "2026-11-21T12:12:00Z" });
  expect(await announced()).toMatchObject({ version: "avalanchego/1.14.2", upgradeTime: 1_607_144_400 });
  pass(12 * 60);
  expect(heights(running, 2)).toEqual(heights(running, 1));
  pass(600);
  expect((heights(running, 1)?.P ?? 0) - (heights(running, 2)?.P ?? 0)).toBe(60);
  expect((heights(running, 1)?.C ?? 0) - (heights(running, 2)?.C ?? 0)).toBe(300);
  expect(await health(url(2))).toMatchObject({ status: 200, healthy: true });
  simulation.set(2, "offline-validator", "1.15.0");
  pass(60);
  simulation.set(2, "healthy");
  pass(60);
  expect(heights(running, 2)).toEqual(heights(running, 1));
  expect(simulation.state().nodes[1]).toMatchObject({ version: "1.15.0" });
  expect(await result(url(2), "info.getNodeVersion")).toMatchObject({ version: "avalanchego/1.15.0" });
  expect(await result(url(2), "info.upgrades")).toMatchObject({ heliconTime: "2026-11-21T12:12:00Z" });
  expect(await announced()).toMatchObject({ version: "avalanchego/1.15.0", upgradeTime: 1_795_262_400 + 720 });
});

test("upgrade-missed without a time in the options: it is scheduled after the lead time", async () => {
  const running = await run({ upgradeLead: 300 });
  const { simulation, url, pass } = running;
  pass(60);
  simulation.set(2, "upgrade-missed");
  expect(await result(url(1), "info.upgrades")).toMatchObject({ heliconTime: "2026-11-21T12:06:00Z" });
  expect(await result(url(2), "info.upgrades")).toMatchObject({ heliconTime: "9999-12-01T00:00:00Z" });
  pass(400);
  expect((heights(running, 1)?.P ?? 0) - (heights(running, 2)?.P ?? 0)).toBe(10);
});
