import { beforeAll, describe, expect, it } from "vitest";
import { HOSTED_FIELDS } from "../../generate/fields/hosted-fields.ts";
import { NODE_FIELDS } from "../../generate/fields/node-fields.ts";
import { fieldsOf, filled, valuesAt } from "../../generate/fields/values.ts";
import { startChild } from "../e2e/support/child.ts";
import { PROGRAM, writeConfig } from "../e2e/support/daemon.ts";
import { temporaryFolder } from "../e2e/support/temporary-folder.ts";
import { seriesOf } from "../support/engines.ts";
import { startServer } from "./server.ts";

/** The real process against a strict server of the specifications: every field has its series with its number and unit. */

const values = valuesAt(Date.now() / 1000);
const ROWS = Object.entries({ ...NODE_FIELDS, ...HOSTED_FIELDS }).flatMap(([method, table]) =>
  fieldsOf(filled(table, values)).flatMap(({ path, series, expected }) =>
    series === undefined ? [] : [[`${method} ${path}`, series, Number(expected)] as const],
  ),
);

const on = { chain: "43114", address: values["HOT"] };
const config = (url: string) => ({
  nodes: [{ name: "a", url, dialect: "auto" }],
  subnets: [{ id: values["SUBNET"], name: "l1", chains: [{ id: values["CHAIN"], name: "one", evm: false }] }],
  watch: {
    validators: [values["OTHER"]],
    addresses: [
      { address: values["WALLET"], name: "p" },
      { address: values["WALLET"]?.replace("P-", "C-"), name: "c" },
      { address: values["HOT"], name: "hot" },
    ],
  },
  evm: { proof_probe: true },
  data_api: {
    url,
    budget: { per_minute: 1_000_000, per_day: 100_000_000 },
    chains: ["43114"],
    tokens: [{ chain: "43114", address: values["TOKEN"] }],
    contracts: [on],
    collections: [{ ...on, token_ids: ["1"] }],
  },
  metrics_api: { url, intervals: ["day"], budget: { per_minute: 1_000_000, per_day: 100_000_000 } },
  endpoints: { "info.getTxFee": { enabled: true }, "admin.getVMConfig": { enabled: true } },
});

/** The values of the series with this name and, among others, these labels. */
function found(series: ReadonlyMap<string, number>, wanted: string): readonly number[] {
  const [name = "", labels = ""] = wanted.replace("}", "").split("{");
  const pairs = labels === "" ? [] : labels.split(",").map((pair) => pair.replace("=", '="') + '"');
  const isWanted = (key: string) => key.startsWith(`${name}{`) && pairs.every((pair) => key.includes(pair));
  return [...series].filter(([key]) => isWanted(key)).map(([, value]) => value);
}

describe("a strict server of the specifications", () => {
  const run = {
    series: new Map<string, number>() as ReadonlyMap<string, number>,
    refused: [""],
    err: "",
    code: -1 as number | string,
  };
  beforeAll(async () => {
    const { url, refused, close } = await startServer();
    const folder = await temporaryFolder();
    const file = await writeConfig(folder.path, config(url));
    const child = startChild(process.execPath, [PROGRAM, "once", `--config.file=${file}`]);
    const code = await child.exited;
    Object.assign(run, { series: seriesOf(child.stdout()), refused, err: child.stderr(), code });
    close();
    await folder.remove();
  });

  it("gets nothing that it must refuse, and `once` ends without a failure or a warning", () => {
    expect(run).toMatchObject({ refused: [], err: "", code: 0 });
  });

  it.each(ROWS)("%s is %s %d", (_, series, expected) => {
    expect(found(run.series, series)).toContain(expected);
  });
});
