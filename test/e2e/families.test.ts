import { afterAll, expect, test } from "vitest";
import { createCleanup } from "../support/create-cleanup.ts";
import { fleet } from "./support/fleet.ts";
import { OF_THE_MOMENT } from "./support/not-compared.ts";
import { comparedFamilies, startFleetDaemon } from "./support/recorded-fleet.ts";

const cleanup = createCleanup();
afterAll(cleanup.run);

test("the families that no recording covers are listed", async () => {
  const nodes = fleet();
  const daemon = await startFleetDaemon(nodes, cleanup);
  const exported = new Set([...(await daemon.metrics()).values()].map(({ name }) => name));
  const compared = comparedFamilies(nodes);
  const list = [...exported]
    .filter((name) => name.startsWith("avax_") && !name.startsWith("avax_exporter_"))
    .filter((name) => !compared.has(name) && !(name in OF_THE_MOMENT))
    .sort();
  await expect(list.map((name) => `${name}\n`).join("")).toMatchFileSnapshot("families-not-compared.txt");
});
