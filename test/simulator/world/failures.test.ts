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

test("no-peers: the chains of the node stop, and go on at the tip", async () => {
  const running = await run();
  running.simulation.set(1, "no-peers");
  const before = heights(running, 1);
  running.pass(600);
  expect(heights(running, 1)).toEqual(before);
  expect(heights(running, 2)?.P).toBe((before?.P ?? 0) + 60);
  running.simulation.set(1, "healthy");
  expect(heights(running, 1)).toEqual(heights(running, 2));
});

test("cut-off: the chains stop at once, the peers are lost after 30 s, and every check says so", async () => {
  const running = await run();
  const { simulation, url, pass } = running;
  simulation.set(1, "cut-off");
  const before = heights(running, 1);
  pass(29);
  expect(heights(running, 1)).toEqual(before);
  expect(await result(url(1), "info.peers")).toMatchObject({ numPeers: "11" });
  expect(await record(running, 2, 1)).toMatchObject({ connected: true });
  pass(61);
  expect(await result(url(1), "info.peers")).toEqual({ numPeers: "0", peers: [] });
  expect(await record(running, 2, 1)).toMatchObject({ connected: false });
  const { checks } = await health(url(1));
  expect(checks["P"]?.error).toMatch(
    /^not connected to enough stake: connected to 10\.706501%; required at least 80\.000000%$/,
  );
  expect(checks["P"]).toMatchObject({ contiguousFailures: 3 });
  expect((await health(url(2))).status).toBe(200);
});

test("hanging: the API does not answer, the others stay connected and the node follows", async () => {
  const running = await run();
  running.simulation.set(1, "hanging");
  running.pass(600);
  await expect(fetch(`${running.url(1)}/ext/health`, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
    name: "TimeoutError",
  });
  expect(await record(running, 2, 1)).toMatchObject({ connected: true });
  expect(heights(running, 1)).toEqual(heights(running, 2));
});

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

test("l1-running-dry: the balance lasts 25 minutes, then it is 0", async () => {
  const { simulation, url, pass, nodeId } = await run({ tidy: true });
  const balance = () => simulation.state().l1.find((each) => each.nodeId === nodeId(2))?.balance;
  simulation.set(2, "l1-running-dry");
  expect(balance()).toBe(512 * 25 * 60);
  pass(20 * 60);
  expect(balance()).toBe(512 * 5 * 60);
  pass(5 * 60);
  expect(balance()).toBe(0);
  const { validators } = await result<{ validators: Array<{ nodeID: string; balance: string }> }>(
    url(1),
    "platform.getCurrentValidators",
    { subnetID: simulation.subnets[1]?.id },
  );
  expect(validators.filter((each) => each.balance === "0").map(({ nodeID }) => nodeID)).toEqual([nodeId(2)]);
});

test("stake-ends-soon: ends after 20 minutes; a later scenario that keeps it does not begin it again", async () => {
  const running = await run();
  const { simulation, pass } = running;
  simulation.set(1, ["edge-uptime", "stake-ends-soon"]);
  simulation.set(2, "cycle-ends-soon");
  simulation.set(3, ["low-uptime", "cycle-ends-soon"]);
  expect(await record(running, 2, 1)).toMatchObject({ endTime: String(Date.parse("2026-11-21T12:20:00Z") / 1000) });
  pass(600);
  simulation.set(1, ["edge-uptime", "stake-ends-soon", "offline-validator"]);
  expect(await record(running, 2, 1)).toMatchObject({
    endTime: String(Date.parse("2026-11-21T12:20:00Z") / 1000),
    connected: false,
  });
  expect(await uptime(running, 2, 1)).toBeLessThan(82);
  pass(600);
  expect(await record(running, 2, 1)).toBeUndefined();
  // A cycle is renewed if the uptime suffices.
  expect(await record(running, 4, 2)).toMatchObject({ startTime: String(Date.parse("2026-11-21T12:20:00Z") / 1000) });
  expect(await record(running, 4, 3)).toBeUndefined();
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
