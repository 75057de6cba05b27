import { describe, expect, it } from "vitest";
import { createFleetRecord } from "./fleet-record.ts";
import { byNode, readScrape, shrunk, sumOf } from "./scrape.ts";
import { pickIndices, seeded } from "./soak-faults.ts";
import { simulatedNodes } from "./simulated-node.ts";
import { createWeather } from "./weather.ts";

const scrapeOf = (lines: readonly string[]) =>
  readScrape(["# TYPE a_total counter", "# TYPE b gauge", ...lines, ""].join("\n"));

describe("a scrape", () => {
  const before = scrapeOf(['a_total{node="x"} 5', 'a_total{node="y",z="1"} 2', 'b{node="x"} 7']);

  it("is added up by node", () => {
    expect([...byNode(before, "a_total")]).toEqual([
      ["x", 5],
      ["y", 2],
    ]);
    expect(sumOf(before, "a_total")).toBe(7);
  });

  it("shows counters that shrank, and no gauges", () => {
    expect(shrunk(before, scrapeOf(['a_total{node="x"} 4', 'b{node="x"} 1']))).toEqual([
      'a_total{node="x"} from 5 to 4',
    ]);
  });

  it("has no other lines than samples", () => {
    expect(() => readScrape("<html>")).toThrow("no sample: <html>");
  });
});

describe("the faults", () => {
  it("depend on the seed alone", () => {
    const drawn = (seed: number) => pickIndices(seeded(seed), 10, 100);
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    expect(new Set(drawn(7)).size).toBe(10);
  });

  it("begin and end at a quarter of the nodes", async () => {
    const open = new Map<number, string>();
    const weather = createWeather({
      nodes: 20,
      faults: ["a", "b", "c"],
      random: seeded(7),
      lasts: [60, 1800],
      begin: (node, fault) => Promise.resolve(void open.set(node, fault)),
      end: (node) => Promise.resolve(void open.delete(node)),
    });
    let sum = 0;
    for (let minute = 0; minute < 1440; minute++) {
      await weather.step(minute * 60, 60);
      sum += open.size;
      expect(weather.faults().toSorted()).toEqual([...open.values()].toSorted());
    }
    expect(sum / 1440 / 20).toBeGreaterThan(0.15);
    expect(sum / 1440 / 20).toBeLessThan(0.35);
    expect([...weather.begun.keys()].sort()).toEqual(["a", "b", "c"]);
    await weather.clear(() => 90_000);
    expect(open.size).toBe(0);
    expect(weather.isWell(0, 100_000, 1_000)).toBe(true);
    expect(["a", "b", "c"]).toContain(weather.before(0).fault);
    expect(weather.before(0).wellSince).toBeLessThanOrEqual(90_000);
  });
});

it("gives prepared answers the time of the request", () => {
  let now = Date.UTC(2026, 10, 22, 12, 0, 0);
  const [node] = simulatedNodes({ nodes: 3, validators: 10, peers: 8 }, () => now);
  const ask = () =>
    node?.play("POST", "/ext/info", '{"jsonrpc":"2.0","id":1,"method":"info.peers","params":{}}').reply.body ?? "";
  expect(ask()).toContain('"lastSent":"2026-11-22T11:59:59Z"');
  now += 60_000;
  const later = JSON.parse(ask()) as { result: { peers: ReadonlyArray<{ lastReceived: string }> } };
  expect(later.result.peers.map(({ lastReceived }) => lastReceived)).toEqual(Array(8).fill("2026-11-22T12:00:59Z"));
});

describe("the record of a fleet", () => {
  const fleet = (x: number, up: number) =>
    readScrape(
      [
        "# TYPE avax_polls_missed_total counter",
        `avax_polls_missed_total{node="a"} ${x}`,
        `avax_polls_missed_total{node="b"} ${x}`,
        `avax_node_up{node="a"} ${up}`,
        `avax_node_up{node="b"} ${up}`,
        'avax_node_overdue_seconds{node="a"} 7',
      ].join("\n"),
    );

  it("counts what the nodes that are well miss", () => {
    const record = createFleetRecord(["a", "b"]);
    record.take(fleet(0, 1), 1000);
    record.began(1);
    expect(record.take(fleet(2, 0), 1015)).toMatchObject({ judged: 1, missed: 2, down: 1, stale: 7 });
    expect(record.problems).toEqual([expect.stringContaining('{"name":"a","missed":2,"failed":0,"up":0}')]);
  });

  it("leaves out a node until polls that began during its fault are over", () => {
    const record = createFleetRecord(["a", "b"]);
    record.began(0);
    record.take(fleet(0, 1), 1000);
    record.ended(0, 1001);
    expect(record.take(fleet(1, 0), 1015)).toMatchObject({ judged: 1, missed: 1, down: 1 });
    expect(record.take(fleet(1, 1), 1060).judged).toBe(1);
    expect(record.take(fleet(1, 1), 1075)).toMatchObject({ judged: 2, missed: 0, down: 0 });
  });
});
