import { describe, expect, it } from "vitest";
import { benchOf, configOf, nodeConfig } from "../../support/engines.ts";
import { TIMEOUT } from "../../support/fake-client.ts";

const EXPIRY = "avax_node_api_certificate_expiry_timestamp_seconds";
describe("the poller", () => {
  const overTls = (name: string) => nodeConfig(name, { url: `https://${name}:9650` });
  const shown = async (bench: ReturnType<typeof benchOf>) =>
    Object.fromEntries([...(await bench.series())].filter(([series]) => series.startsWith(EXPIRY)));
  const ofA = `${EXPIRY}{node="a",network="local"}`;

  it("exports the expiry for nodes with HTTPS alone, and a renewed one", async () => {
    const bench = benchOf(["a", "b"]);
    bench.node("a").certificateExpiry = 1_811_111_111;
    bench.poller.apply(configOf([], { nodes: [overTls("a"), nodeConfig("b")] }));
    await bench.run(5);
    expect(await shown(bench)).toEqual({ [ofA]: 1_811_111_111 });
    bench.node("a").certificateExpiry = 1_822_222_222;
    await bench.run(60);
    expect(await shown(bench)).toEqual({ [ofA]: 1_822_222_222 });
  });

  it("keeps the expiry while the node does not answer", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply(configOf([], { nodes: [overTls("a")] }));
    await bench.run(5);
    bench.node("a").failing.set("*", TIMEOUT);
    await bench.run(600);
    expect(await shown(bench)).toEqual({ [ofA]: 1_900_000_000 });
  });

  it("exports the expiry of a certificate that was rejected from the start", async () => {
    const bench = benchOf(["a"]);
    bench.node("a").failing.set("*", { reason: "tls", message: "TLS failed: certificate has expired" });
    bench.node("a").certificateExpiry = 1_700_000_000;
    bench.poller.apply(configOf([], { nodes: [{ ...overTls("a"), network: "local" }] }));
    await bench.run(5);
    expect(await shown(bench)).toEqual({ [ofA]: 1_700_000_000 });
  });

  it("drops the expiry when a reload moves the node to plain HTTP", async () => {
    const bench = benchOf(["a"]);
    bench.poller.apply(configOf([], { nodes: [overTls("a")] }));
    await bench.run(5);
    expect(await shown(bench)).toEqual({ [ofA]: 1_900_000_000 });
    bench.poller.apply(configOf(["a"]));
    await bench.run(60);
    expect(await shown(bench)).toEqual({});
    expect((await bench.series()).get('avax_node_up{node="a",network="local"}')).toBe(1);
  });
});
