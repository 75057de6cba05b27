import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALERTS } from "../../../src/topics/all/alerts.ts";
import { NATIVE_FAMILIES } from "../../../src/topics/node/native-families.ts";

/** Before Helicon, with LevelDB, and after it. */
const RECORDINGS = ["local-healthy-validator", "head-n2-after-restart"].map(
  (name) => `test/recordings/${name}.native-metrics.txt`,
);

/** Labels of each series of a node's own metrics, by name. */
const recorded = new Map<string, Set<string>>();
for (const line of RECORDINGS.flatMap((file) => readFileSync(file, "utf8").split("\n"))) {
  const [, name, labels = ""] = /^(\w+)(?:{(.*)})? \S+$/.exec(line) ?? [];
  if (name === undefined) continue;
  const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
  recorded.set(name, new Set([...(recorded.get(name) ?? []), ...names]));
}

it.each(Object.values(NATIVE_FAMILIES))("a real node exports $name with the labels $labels", ({ name, labels }) => {
  expect([...(recorded.get(name) ?? ["absent"])].sort()).toEqual([...labels].sort());
});

/** What one node exports before Helicon, after it in the same process, and after a restart. */
const AROUND = ["before-helicon", "after-helicon-same-process-5min", "after-restart"].map((moment) =>
  readFileSync(`test/recordings/head-n2-${moment}.native-metrics.txt`, "utf8"),
);

it.each(Object.values(NATIVE_FAMILIES))("$name is exported around Helicon as its table has it", ({ name, helicon }) => {
  const exported = AROUND.map((text) => new RegExp(`^${name}[{ ]`, "m").test(text));
  expect(exported).toEqual([helicon !== "since", true, helicon !== "before"]);
});

it("the alert on bad blocks matches the families of the C-Chain and of plugins, and no others", () => {
  const { expr = "" } = ALERTS.find(({ name }) => name === "AvaxNodeBadBlocks") ?? {};
  const [, pattern = ""] = /__name__=~"([^"]+)"/.exec(expr) ?? [];
  const matched = [...recorded.keys()].filter((name) => new RegExp(`^(?:${pattern})$`).test(name));
  expect(matched.sort()).toEqual([NATIVE_FAMILIES.badBlocks.name, NATIVE_FAMILIES.badBlocksOfPlugins.name].sort());
  // The VM of an L1 that is not the default Subnet-EVM.
  expect("avalanche_srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy_vm_eth_chain_block_bad_count").toMatch(
    new RegExp(`^(?:${pattern})$`),
  );
});
