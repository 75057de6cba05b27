import { expect, it } from "vitest";
import { OwnDelegations } from "../../../src/api/node/platform.ts";
import { delegations } from "../../../src/topics/validators/delegations.ts";
import { recordedApi } from "../../support/recorded-api.ts";
import { contextOf, readTopic } from "../../support/topics.ts";

const NODE = "NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA";

it("shows when the recorded delegations end, and nothing of what is unknown or of another node", async () => {
  const context = contextOf({ nodeId: NODE });
  const answer = await OwnDelegations.ask(recordedApi("local-healthy-validator"), "", context, undefined);
  const read = (nodeId: string) => Object.fromEntries(readTopic(delegations, { own: answer }, contextOf({ nodeId })));
  expect(read(NODE)).toMatchObject({ 'avax_node_delegations_ending_avax{remaining="1-3d"}': 625 });
  // The uptime is unknown without peers.
  expect(Object.keys(read(NODE)).filter((name) => name.includes("unrewarded"))).toEqual([]);
  expect(read("NodeID-other")).toEqual({});
});
