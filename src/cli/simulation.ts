import { SCENARIO_NAMES, type ScenarioName } from "../simulator/scenarios.ts";
import type { SimulatorOptions } from "../simulator/simulate.ts";
import type { Flags } from "./flags.ts";

type Assigned = ReadonlyArray<{ readonly node: number | "all"; readonly name: ScenarioName }>;

/** The simulator's options from the flags, or a sentence that says which flag is wrong. */
export function simulatorOptions(
  flags: Flags,
  defaults: SimulatorOptions,
): SimulatorOptions | { readonly problem: string } {
  const nodes = flags.nodes === undefined ? undefined : Number(flags.nodes);
  const speed = flags.speed === undefined ? undefined : Number(flags.speed);
  const port = flags.port === undefined ? undefined : Number(flags.port);
  const dialect = flags.dialect;
  if (nodes !== undefined && !(Number.isInteger(nodes) && nodes >= 1 && nodes <= 5000))
    return { problem: "--nodes is a number from 1 to 5000" };
  if (speed !== undefined && !(speed > 0 && speed <= 100_000)) return { problem: "--speed is a factor above 0" };
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    return { problem: "--port is a number from 0 to 65535" };
  if (dialect !== undefined && dialect !== "avalanchego" && dialect !== "spec")
    return { problem: "--dialect is avalanchego or spec" };
  const scenario = scenarios(flags.scenario);
  if (scenario !== undefined && "problem" in scenario) return scenario;
  return {
    ...defaults,
    ...(nodes === undefined ? {} : { nodes }),
    ...(speed === undefined ? {} : { speed }),
    ...(port === undefined ? {} : { port }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(scenario === undefined ? {} : { scenario }),
  };
}

/** `lagging` for all nodes, or `2=lagging,3=bootstrapping`. */
function scenarios(text: string | undefined): Assigned | { readonly problem: string } | undefined {
  if (text === undefined) return undefined;
  const assigned = text.split(",").map((part) => {
    const [left = "", right] = part.split("=").map((word) => word.trim());
    return right === undefined ? { node: "all" as const, name: left } : { node: Number(left), name: right };
  });
  const known = assigned.filter(
    (each): each is Assigned[number] => isScenario(each.name) && (each.node === "all" || Number.isInteger(each.node)),
  );
  return known.length === assigned.length
    ? known
    : { problem: `--scenario is one of ${SCENARIO_NAMES.join(", ")}, or NODE=NAME` };
}

function isScenario(name: string): name is ScenarioName {
  return (SCENARIO_NAMES as readonly string[]).includes(name);
}
