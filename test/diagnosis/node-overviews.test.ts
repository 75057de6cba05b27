import { expect, test } from "vitest";
import { nodeOverviews } from "../../src/diagnosis/node-overviews.ts";
import { samplesOf } from "../../src/diagnosis/samples.ts";
import { readingsIn } from "../support/readings.ts";

function factsFor(text: string): unknown {
  return nodeOverviews(samplesOf(readingsIn(text), 1_800_000_000));
}

test("facts of a node, each from its own samples", () => {
  expect(
    factsFor(`avax_node_configured{node="a",network="n",node_id="NodeID-A"} 1
avax_node_info{node="a",network="n",node_id="NodeID-A",version="avalanchego/1.15.0"} 1
avax_node_peers{node="a",network="n"} 11
avax_node_observed_uptime_median_ratio{node="a",network="n"} 0.8
avax_validator_info{network="n",node_id="NodeID-A",name="one",node="a"} 1
avax_validator_uptime_requirement_ratio{network="n",subnet="primary",node_id="NodeID-A"} 0.9
avax_validator_uptime_requirement_ratio{network="n",subnet="other",node_id="NodeID-A"} 0.5
`),
  ).toEqual({ a: { version: "avalanchego/1.15.0", peers: 11, uptime: 0.8, required: 0.9, validator: true } });
});

test("what is unknown is absent, a validator without a polled node too", () => {
  expect(
    factsFor('avax_node_configured{node="a"} 1\navax_validator_info{network="n",node_id="NodeID-X",name="x"} 1\n'),
  ).toEqual({ a: {} });
  expect(factsFor("")).toEqual({});
});

test("the lag is that of the chain that the node is judged by, else of the most blocks", () => {
  expect(
    factsFor(`avax_node_configured{node="a"} 1
avax_node_configured{node="b"} 1
avax_node_configured{node="c"} 1
avax_node_configured{node="d"} 1
avax_node_behind_seconds{node="a"} 195
avax_node_behind_seconds{node="b"} 0
avax_node_behind_seconds{node="d"} 40
avax_chain_lag_blocks{node="a",chain="X"} 500
avax_chain_behind_since_timestamp_seconds{node="a",chain="X"} 1799990000
avax_chain_lag_blocks{node="a",chain="C"} 335
avax_chain_lag_blocks{node="a",chain="P"} 67
avax_chain_behind_since_timestamp_seconds{node="a",chain="C"} 1799999900
avax_chain_behind_since_timestamp_seconds{node="a",chain="P"} 1799999800
avax_chain_lag_blocks{node="b",chain="C"} 0
avax_chain_lag_blocks{node="b",chain="P"} 2
avax_chain_lag_blocks{node="c",chain="C"} 0
`),
  ).toEqual({
    // It bootstraps X, and was judged five seconds ago.
    a: { lag: { chain: "P", blocks: 67, since: 1_799_999_805 } },
    b: { lag: { chain: "P", blocks: 2 } },
    c: { lag: { chain: "C", blocks: 0 } },
    // It does not answer: its last verdict stays, its blocks do not.
    d: {},
  });
});

test("the downtime left is for the Primary Network, at the validator's own node", () => {
  const left = (id: string, seconds: number, subnet = "primary"): string =>
    `avax_validator_downtime_left_seconds{subnet="${subnet}",node_id="${id}"} ${seconds}\n`;
  const configured =
    'avax_node_configured{node="a",node_id="NodeID-A"} 1\navax_node_configured{node="b",node_id=""} 1\n';
  expect(factsFor(configured + left("NodeID-A", -200))).toEqual({ a: { downtimeLeft: -200 }, b: {} });
  expect(factsFor(configured + left("NodeID-X", 5) + left("NodeID-A", 5, "S"))).toEqual({ a: {}, b: {} });
});

test("two nodes with one node ID both have the downtime of its validator", () => {
  const text = `avax_node_configured{node="a",node_id="NodeID-A"} 1
avax_node_configured{node="b",node_id="NodeID-A"} 1
avax_validator_downtime_left_seconds{subnet="primary",node_id="NodeID-A",node="a"} 5
`;
  expect(factsFor(text)).toEqual({ a: { downtimeLeft: 5 }, b: { downtimeLeft: 5 } });
});
