import { expect, it } from "vitest";
import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";

/** Parameters of a request that reads the previous answer: the API, the key, the facts and the answer. */
const WITH_PREVIOUS = 4;

it.each(catalogueOf(TOPICS).endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  "%s follows its previous answer if and only if its request reads it",
  (_, endpoint) => {
    expect(endpoint.follows === true).toBe(endpoint.ask.length === WITH_PREVIOUS);
  },
);
