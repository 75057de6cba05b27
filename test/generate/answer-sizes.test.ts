import { expect, test } from "vitest";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { GROWS, RECORDED_AS } from "../../generate/answer-sizes.ts";

const IDS = catalogueOf(TOPICS)
  .endpoints.filter(({ scope }) => scope !== "hosted")
  .map(({ id }) => id);

test("no size is listed for an endpoint that does not exist", () => {
  expect([...Object.keys(RECORDED_AS), ...Object.keys(GROWS)].filter((id) => !IDS.includes(id))).toEqual([]);
});
