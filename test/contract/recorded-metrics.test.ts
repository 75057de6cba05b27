import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { configSchema } from "../../src/config/schema/config-schema.ts";
import { fleet, fleetConfig } from "../e2e/support/fleet.ts";
import { createPlayer } from "../e2e/support/recording-server.ts";
import { playedExporter } from "../faults/fields/played.ts";
import { sampleLines } from "../e2e/support/exposition.ts";
import { FACTS } from "./expected-facts.ts";

/**
 * What `/metrics` has of every recorded network, figure by figure. `npm run update` writes it anew: its diff is what a change does to
 * real nodes.
 */

const FLEET = fleet();
const NETWORKS = [...new Set(FLEET.map(({ network }) => network))];
/** Seconds: every endpoint has answered, and the compared ones often. */
const SETTLED = 120;

/** Families about the polls themselves, which have a row for each endpoint. */
const OF_POLLS = /^avax_(endpoint|polls?)_/;

let lines: readonly string[];
beforeAll(async () => {
  const players = new Map(FLEET.map(({ name, recording }) => [name, createPlayer(recording)]));
  const { poller, pass, text, errors } = playedExporter((host, method, path, body) => {
    const play = players.get(host);
    if (play === undefined) throw new Error(`no recording ${host}`);
    return play(method, path, body).reply;
  });
  const urls = new Map(FLEET.map(({ name }) => [name, `http://${name}:9650`]));
  poller.apply(configSchema.parse(fleetConfig(FLEET, urls)));
  await pass(SETTLED);
  lines = sampleLines(await text());
  await poller.close();
  expect(errors).toEqual([]);
});

it.each(NETWORKS)("%s", async (network) => {
  const label = `network="${network}"`;
  const own = lines
    .filter((line) => line.includes(label) && !OF_POLLS.test(line))
    .map((line) => line.replace(label, "").replace(/\{,/, "{"));
  await expect(`${own.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "metrics", `${network.replaceAll(/\W+/g, "-")}.txt`),
  );
});

/** A ratio has twelve digits. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 + Math.abs(b) * 2 ** -51;

/** Values of the series that a selector chooses. */
function valuesOf(selector: string, label: string): readonly number[] {
  const [name = "", matchers = ""] = selector.replace("}", "").split("{");
  const wanted = [...matchers.split(",").filter(Boolean), label];
  return lines
    .filter(
      (line) => line.startsWith(`${name}{`) && wanted.every((each) => /[{,]/.test(line[line.indexOf(each) - 1] ?? "")),
    )
    .map((line) => Number(line.slice(line.lastIndexOf(" "))));
}

it("a few figures are those that a person read in the recordings, whatever the committed text says", () => {
  const wrong: string[] = [];
  for (const [recording, { node = {}, network = {} }] of Object.entries(FACTS)) {
    const of = FLEET.find(({ name }) => name === recording)?.network ?? "";
    for (const [facts, label] of [
      [node, `node="${recording}"`],
      [network, `network="${of}"`],
    ] as const)
      for (const [selector, value] of Object.entries(facts))
        if (!valuesOf(selector, label).some((each) => isSame(each, value)))
          wrong.push(`${recording} ${selector}: ${valuesOf(selector, label).join(" ")} instead of ${value}`);
  }
  expect(wrong).toEqual([]);
});
