import { METHODS, methodNamed, type Callable } from "../../api/node/methods.ts";
import { table } from "../text/columns.ts";
import { wrapped } from "../../config/base/wrapped.ts";
import { shapeOf, type Parameter } from "./call-params.ts";

/** Help of the command `call`, generated from the definitions of the methods. */

const USAGE = [
  "Usage: avax-exporter call NODE METHOD [JSON] [flags]",
  "",
  "Send one request to a node and print the result as JSON.",
  "",
  ...table([
    ["NODE", "Name of a configured node (with --config.file), or its URL."],
    ["METHOD", "A method or an endpoint of the lists below, or a path such as /ext/health."],
    ["JSON", "Parameters of the method; optional when none is required."],
  ]),
  "",
  "NODE can also be data-api or metrics-api, a hosted service. METHOD is then a",
  "path such as /v1/chains/{chainId}: fields of JSON fill the path, and the others",
  "form the query. An unknown path lists all paths.",
  "",
];

const NOTES = [
  "",
  ...wrapped(
    "Other web3_, net_, eth_, txpool_, debug_, personal_, platform. and info. methods are sent unchanged; one that is not known to read needs --allow-write. METHOD --help describes one method.",
    "",
  ),
  "",
  "Exit code: 0 for a result, 1 for an error or a refusal, 2 for invalid arguments.",
  "",
];

/** The interfaces in the order of the help, by the names of their methods. */
const INTERFACES: ReadonlyArray<readonly [title: string, names: RegExp]> = [
  ["Health", /^(GET |health\.)/],
  ["Info", /^info\./],
  ["P-Chain", /^platform\./],
  ["EVM chains (--chain)", /^(eth|net|web3|txpool)_|^validators\./],
  ["Admin of EVM chains (--chain)", /^admin[._]/],
  ["Ledger of the C-Chain", /^(ledger|avax)\./],
];

/** Help of the command, with every method by interface, and every endpoint that is not named like a method. */
export function callHelp(flags: readonly string[], examples: readonly string[], endpoints: readonly string[]): string {
  const all = [...METHODS.values()];
  const columns = Math.max(...all.map(({ name }) => name.length));
  const groups = INTERFACES.flatMap(([title, names]) => [
    `${title}:`,
    ...table(
      all
        .filter(({ name }) => names.test(name))
        .map(({ name, about, writes }) => [name, `${writes ? "(writes) " : ""}${about}`] as const),
      columns,
    ),
    "",
  ]);
  return [
    ...USAGE,
    ...flags,
    "",
    "Examples:",
    ...examples,
    "",
    ...groups,
    "Endpoints (the requests of one poll; alerts name them):",
    ...wrapped(endpoints.filter((id) => !METHODS.has(id)).join(", "), "  "),
    ...NOTES,
  ].join("\n");
}

/** Help of one method, or `undefined` when there is no such method. */
export function methodHelp(name: string): string | undefined {
  const method = methodNamed(name);
  if (method === undefined) return undefined;
  const { parameters, form, open } = shapeOf(method);
  const { path } = method.spelling("C", "spec");
  const rows = table(parameters.map(parameterRow), 14);
  return [
    ...wrapped(`${method.name}: ${method.about}`, "  ", ""),
    "",
    ...(method.get ? [] : [`  POST ${path}`]),
    ...(method.hasDialects
      ? [`  real nodes: ${method.spelling("C", "avalanchego").name} at ${method.spelling("C", "avalanchego").path}`]
      : []),
    ...(method.perChain ? ["  --chain selects another chain"] : []),
    ...(method.writes ? ["  Can change the node or the network: requires --allow-write."] : []),
    "",
    form === "list" ? "Parameters, a list:" : "Parameters:",
    ...(rows.length === 0 ? [open ? "  any that the server accepts" : "  none"] : rows),
    "",
    `Example: ${example(method, parameters)}`,
    "",
  ].join("\n");
}

function parameterRow({ name, type, required, description }: Parameter): readonly [string, string] {
  const words = [type, ...(required ? [] : ["optional"]), ...(description === "" ? [] : [description])];
  return [name, words.join(", ")];
}

/** Example values of parameters. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  subnetID: "11111111111111111111111111111111LpoYY",
  nodeIDs: ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"],
  addresses: ["P-avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae"],
  sourceChain: "P",
  blockchainID: "C",
  validationID: "LCxMmZEKkQu3Ng8Qn4ofRPsm5YSf6SZrEcRUyV51dNXBy1XYw",
  blockID: "LCxMmZEKkQu3Ng8Qn4ofRPsm5YSf6SZrEcRUyV51dNXBy1XYw",
  txID: "LCxMmZEKkQu3Ng8Qn4ofRPsm5YSf6SZrEcRUyV51dNXBy1XYw",
  tx: "0x00…",
  height: 1,
  chain: "C",
  alias: "C",
  level: "info",
};

function example({ name, params, get, writes }: Callable, parameters: readonly Parameter[]): string {
  const start = `avax-exporter call http://127.0.0.1:9650 ${get ? name.replace("GET ", "") : name}`;
  const needed = parameters.filter(({ required }) => required);
  const flag = writes ? " --allow-write" : "";
  if (needed.length === 0) return start + flag;
  const { form } = shapeOf({ params });
  const value = (parameter: Parameter): unknown =>
    name.includes("UTXOs") && parameter.name === "addresses"
      ? ["C-avax1g29kh4fppl5t6kh9wk5et588s34a86hqjv0tae"]
      : (SAMPLES[parameter.name] ?? sampleOf(parameter));
  const shown =
    form === "list" ? needed.map(value) : Object.fromEntries(needed.map((each) => [each.name, value(each)]));
  return `${start} '${JSON.stringify(shown)}'${flag}`;
}

function sampleOf({ type, description }: Parameter): unknown {
  if (type.startsWith("list")) return [];
  if (type === "boolean") return false;
  if (type === "number") return 1;
  return description.includes("latest") ? "latest" : "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC";
}
