import { expect, test } from "vitest";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { answerSize, GROWS, RECORDED_AS, recordedSizes } from "../../generate/answer-sizes.ts";

const IDS = catalogueOf(TOPICS)
  .endpoints.filter(({ scope }) => scope !== "hosted")
  .map(({ id }) => id);

test("every endpoint of a node has a recorded answer, each of its requests one", () => {
  const sizes = recordedSizes();
  // Its answer is an error.
  expect(IDS.filter((id) => answerSize(id, sizes) === undefined)).toEqual(["evm.trace"]);
});

test("no size is listed for an endpoint that does not exist", () => {
  expect([...Object.keys(RECORDED_AS), ...Object.keys(GROWS)].filter((id) => !IDS.includes(id))).toEqual([]);
});
