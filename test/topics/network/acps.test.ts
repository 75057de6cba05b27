import { expect, it } from "vitest";
import { infoMethods } from "../../../src/api/node/info.ts";
import { acps, acpVotes } from "../../../src/topics/network/upgrades.ts";
import { contextOf, only, readTopic } from "../../support/topics.ts";

const weights = { supportWeight: "1", objectWeight: "2", abstainWeight: "3" };
const read = (more: object) => {
  const answer = infoMethods.acps.result.parse({ acps: { 77: { ...weights, ...more } } });
  return only(readTopic(acpVotes, { answer }, contextOf({ nodeId: "NodeID-own", validators: ["NodeID-w"] })), "vote");
};
const vote = (id: string, stance: string) => `avax_acp_vote_info{acp="77",node_id="${id}",stance="${stance}"}`;

it("shows the votes of the polled nodes and of the watched validators", () => {
  expect(read({ supporters: ["NodeID-own", "NodeID-x"], objectors: ["NodeID-w"] })).toEqual({
    [vote("NodeID-own", "support")]: 1,
    [vote("NodeID-w", "object")]: 1,
  });
  expect(read({ supporters: null, objectors: [] })).toEqual({});
  expect(read({})).toEqual({});
});

it("bounds the names that a server chooses: each proposal is a series for ever", () => {
  const proposals = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [index, weights]));
  const answer = infoMethods.acps.result.parse({ acps: proposals });
  expect(readTopic(acps, { answer }, contextOf()).size).toBe(3 * 100);
});
