import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/api/node/methods.ts";
import { catalogueOf } from "../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../src/topics/all/topics.ts";
import { coverageOf } from "../../generate/coverage.ts";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { SPECIFICATION } from "../../generate/specification.ts";

/** Interfaces of the two hosted services: each method has metrics. */
const HOSTED = SPECIFICATION.filter(({ title }) => /^(Data|Metrics) API$/.test(title));

describe.each(SPECIFICATION)("$title", (part) => {
  it("has every method polled or callable", () => {
    const lost = coverageOf(part).filter(({ endpoints, callable }) => endpoints.length === 0 && !callable);
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it("polls nothing that writes", () => {
    const writing = coverageOf(part).filter(({ name }) => METHODS.get(name)?.writes === true);
    for (const { name, endpoints } of writing) expect({ name, endpoints }).toEqual({ name, endpoints: [] });
  });
});

describe.each(HOSTED)("$title", (part) => {
  // A path that is for the command line alone says why.
  it.each(coverageOf(part).filter(({ note }) => note === undefined))(
    "$name is polled, has metrics and is callable",
    (row) => {
      expect(row.endpoints).not.toEqual([]);
      expect(row.metrics).not.toEqual([]);
      expect(row.callable).toBe(true);
    },
  );
});

it("names in its table of fields only metrics that exist", () => {
  const known = new Set(TOPICS.flatMap((topic) => Object.values(topic.metrics).map(({ name }) => name)));
  const named = Object.values({ ...NODE_FIELDS, ...HOSTED_FIELDS }).flatMap(
    (text) => text.match(/avax_[a-z0-9_]+/g) ?? [],
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it("lists the metrics of a path, and not those of a longer path", () => {
  const rows = new Map(HOSTED.flatMap((part) => coverageOf(part)).map(({ name, metrics }) => [name, metrics]));
  expect(rows.get("GET /v1/chains")).toEqual(["avax_hosted_chains"]);
  expect(rows.get("GET /v1/networks/{network}/rewards")).not.toContain("avax_hosted_address_rewards_pending_avax");
});

it("names endpoints that exist as users of the transports", () => {
  const ids = new Set(catalogueOf(TOPICS).endpoints.map(({ id }) => id));
  const users = SPECIFICATION.flatMap(({ methods }) => methods.flatMap(({ usedBy = [] }) => usedBy));
  expect(users.filter((id) => !ids.has(id))).toEqual([]);
});
