import { describe, expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";

import { chainIds, identity, nodeChanges, nodeLabels, publicIp, vms } from "../../../src/topics/node/identity.ts";

import { SUBNETS } from "../../support/local-network.ts";
import { contextOf, nextState, readTopic } from "../../support/topics.ts";

const context = contextOf({ subnets: SUBNETS });
const object = (samples: ReadonlyMap<string, number>) => Object.fromEntries(samples);

describe("identity", () => {
  it("of a server with few methods comes from the headers of its answers", () => {
    const version = infoMethods.getNodeVersion.result.parse({ version: "avalanche/1.9.0", rpcProtocolVersion: 19 });
    const [name] = readTopic(
      identity,
      { id: undefined, version, networkId: undefined, networkName: undefined },
      contextOf({ nodeId: "NodeID-h" }),
    ).keys();
    expect(name).toContain(
      'node_id="NodeID-h",version="avalanche/1.9.0",git_commit="",database_version="",rpc_protocol="19",network_id=""',
    );
  });

  it("has VMs with any names, and none without a list", () => {
    const hostile = {
      vms: { vms: { id1: ["constructor"], toString: [], id2: ["x"] } },
      version: { version: "v", vmVersions: {} },
    };
    expect([...readTopic(vms, hostile, context).keys()]).toHaveLength(3);
    expect(readTopic(vms, { ...hostile, vms: infoMethods.getVMs.result.parse({ vms: null }) }, context)).toEqual(
      new Map(),
    );
  });

  it("names a private address of a public network alone", () => {
    const read = (network: string, ip: string) => [
      ...readTopic(publicIp, { ip: { ip } }, contextOf({ network })).keys(),
    ];
    const shown = 'avax_node_private_ip_info{ip="10.0.0.1:9651"}';
    expect(read("mainnet", "10.0.0.1:9651")).toContain(shown);
    expect(read("fuji", "10.0.0.1:9651")).toContain(shown);
    expect(read("local", "10.0.0.1:9651")).not.toContain(shown);
    expect(read("mainnet", "11.0.0.1:9651").filter((name) => name.includes("private"))).toEqual([]);
  });

  it("counts changes of the address and of the node, not their first values", () => {
    const ips = ["1.2.3.4:9651", "1.2.3.4:9651", "", "5.6.7.8:9651", "1.2.3.4:9651"];
    const state = ips
      .slice(0, -1)
      .reduce<unknown>((before, ip) => nextState(publicIp, { ip: { ip } }, context, before), undefined);
    expect(object(readTopic(publicIp, { ip: { ip: "1.2.3.4:9651" } }, context, state))).toEqual({
      'avax_node_ip_info{ip="1.2.3.4:9651"}': 1,
      avax_node_ip_changes_total: 2,
    });
    expect(object(readTopic(publicIp, { ip: { ip: "" } }, context))).toEqual({ avax_node_ip_changes_total: 0 });
    expect(
      object(
        readTopic(
          nodeChanges,
          { id: { nodeID: "b" } },
          context,
          nextState(nodeChanges, { id: { nodeID: "a" } }, context),
        ),
      ),
    ).toEqual({
      avax_node_id_changes_total: 1,
      avax_node_id_changed_timestamp_seconds: context.time,
      avax_node_replaced: 1,
    });
  });

  it("counts a change of the node while the exporter did not run, and not its first value", () => {
    const restored = nodeChanges.saved?.restore({ last: "a", count: 3 });
    expect(object(readTopic(nodeChanges, { id: { nodeID: "b" } }, context, restored))).toEqual({
      avax_node_id_changes_total: 4,
      avax_node_id_changed_timestamp_seconds: context.time,
      avax_node_replaced: 1,
    });
    const empty = nodeChanges.saved?.restore({ count: 0 });
    expect(object(readTopic(nodeChanges, { id: { nodeID: "b" } }, context, empty))).toEqual({
      avax_node_id_changes_total: 0,
      avax_node_replaced: 0,
    });
    for (const wrong of [null, "a", { last: 7, count: 0 }, { last: "a" }, { last: "a", count: -1 }])
      expect(() => nodeChanges.saved?.restore(wrong)).toThrow();
  });

  it("has the aliases that the node knows, the configured labels, and the node itself", () => {
    const ids = new Map([
      ["C", { blockchainID: "2q9e" }],
      ["nosuch", { blockchainID: undefined }],
    ]);
    expect(object(readTopic(chainIds, { ids }, context))).toEqual({
      'avax_chain_info{chain="C",blockchain_id="2q9e"}': 1,
    });
    expect(object(readTopic(nodeLabels, {}, contextOf({ labels: { rack: "7" } })))).toEqual({
      'avax_node_labels_info{rack="7"}': 1,
      'avax_node_configured{node_id="NodeID-own"}': 1,
    });
    expect(object(readTopic(nodeLabels, {}, { ...context, nodeId: undefined }))).toEqual({
      'avax_node_configured{node_id=""}': 1,
    });
  });
});
