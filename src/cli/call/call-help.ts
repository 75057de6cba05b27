import { METHODS, methodNamed } from "../../api/node/methods.ts";
import { table } from "../text/table.ts";
import { wrapped } from "../../config/base/wrapped.ts";
import { callableEndpoints } from "./call-endpoint.ts";
import { shapeOf, type Parameter } from "./read-params.ts";

/** Help of the command `call`, generated from the definitions of the methods. */

const NOTES = [
  "NODE is the name of a configured node (with --config.file) or a URL. METHOD is a method or an endpoint of the lists below, or a path such as /ext/health; METHOD --help describes it. JSON has its parameters.",
  "NODE can also be data-api or metrics-api, a hosted service. METHOD is then a path such as /v1/chains/{chainId}: fields of JSON fill the path, and the others form the query. An unknown path lists all paths.",
  "Other web3_, net_, eth_, txpool_, debug_, personal_, platform. and info. methods are sent unchanged; one that is not known to read needs --allow-write.",
];

/** The help of the command with every method, and with every endpoint that is not named like a method. */
export function callHelp(help: string): string {
  const methods = [...METHODS.values()].map(
    ({ name, about, writes }) => [name.replace("GET ", ""), `${writes ? "(writes) " : ""}${about}`] as const,
  );
  const endpoints = [...callableEndpoints().keys()].filter((id) => !METHODS.has(id));
  return [
    help,
    ...NOTES.flatMap((note) => [...wrapped(note, ""), ""]),
    "Methods:",
    ...table(methods),
    "",
    "Endpoints (the requests of one poll; alerts name them):",
    ...wrapped(endpoints.join(", "), "  "),
    "",
  ].join("\n");
}

/** Help of one endpoint, or `undefined` when there is no such endpoint. */
export function endpointHelp(id: string): string | undefined {
  const endpoint = callableEndpoints().get(id);
  if (endpoint === undefined) return undefined;
  const { about, methods } = endpoint;
  return [...wrapped(`${id}: ${about}`, "  ", ""), "", ...wrapped(methods.join(", "), "  ", "Sends: "), ""].join("\n");
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
  ].join("\n");
}

function parameterRow({ name, type, required, description }: Parameter): readonly [string, string] {
  const words = [type, ...(required ? [] : ["optional"]), ...(description === "" ? [] : [description])];
  return [name, words.join(", ")];
}
