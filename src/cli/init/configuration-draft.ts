import type { Notes, Written } from "../../config/write/commented-yaml.ts";
import { ADMIN } from "./interface-states.ts";
import type { Survey } from "./survey.ts";

/** The configuration for the surveyed nodes, and the names of the nodes in their order. */
export type ConfigurationDraft = { readonly value: Written; readonly notes: Notes; readonly names: readonly string[] };

/** @param describe a note about a node, for the comment before its entry */
export function draftOf(
  surveys: readonly Survey[],
  describe: (found: Survey) => readonly string[],
): ConfigurationDraft {
  const names = nodeNames(surveys);
  const subnets = subnetsOf(surveys);
  const watch = watchOf(surveys);
  const hasAdmin = surveys.some(({ interfaces }) =>
    interfaces.some(({ name, failure }) => name === ADMIN && failure === undefined),
  );
  return {
    names,
    notes: new Map(surveys.map((found, index) => [`nodes.${index}`, describe(found)])),
    value: {
      nodes: surveys.map((found, index) => nodeOf(found, names[index] ?? "", subnets)),
      ...(subnets.length === 0 ? {} : { subnets }),
      watch,
      ...(hasAdmin ? { endpoints: { "admin.getVMConfig": { enabled: true } } } : {}),
    },
  };
}

type Subnet = { readonly id: string; readonly name: string };

/** The entry of a node. @param subnets those of the configuration */
export function nodeOf(found: Survey, name: string, subnets: readonly Subnet[]): Written {
  const served = subnets.filter(({ id }) => found.subnets.some((each) => each.id === id)).map((each) => each.name);
  const { url, network, nodeId, primaryChains, interfaces } = found;
  const isPublic = nodeId === undefined && interfaces.some(({ serves, failure }) => serves("health") && failure);
  const present = primaryChains.filter(({ state }) => state !== "absent").map((chain) => chain.name);
  // Until the P-Chain is bootstrapped a node has no X and C, whatever it will run.
  const isPartial = primaryChains[0]?.state === "bootstrapped" && present.length < primaryChains.length;
  return {
    name,
    url,
    ...(network === undefined ? {} : { network: literal(network) }),
    ...(nodeId === undefined ? {} : { node_id: nodeId }),
    ...(isPublic ? { public_server: true } : {}),
    ...(subnets.length === 0 ? {} : { subnets: served }),
    ...(isPartial ? { primary_chains: present } : {}),
  };
}

/** Every subnet once, with the chains that any of its nodes runs. */
function subnetsOf(surveys: readonly Survey[]): ReadonlyArray<Subnet & Written> {
  const all = surveys.flatMap(({ network, subnets }) => subnets.map((subnet) => ({ ...subnet, network })));
  const names = new Set(["primary"]);
  const chainNames = new Set(["P", "X", "C"]);
  return [...Map.groupBy(all, ({ id }) => id)].map(([id, same]) => {
    const chains = [...new Map(same.flatMap((each) => each.chains).map((chain) => [chain.id, chain])).values()];
    const network = same.find((each) => each.network !== undefined)?.network;
    return {
      id,
      name: unused(literal(chains[0]?.name ?? id), names),
      ...(network === undefined ? {} : { network: literal(network) }),
      chains: chains.map((chain) => ({
        id: chain.id,
        name: unused(literal(chain.name), chainNames),
        evm: chain.isEvm,
        ...(Number.isSafeInteger(chain.evmChainId) ? { evm_chain_id: chain.evmChainId } : {}),
      })),
    };
  });
}

/** The validators among the nodes; by network where there are several. */
function watchOf(surveys: readonly Survey[]): Written {
  const validating = surveys.flatMap(({ nodeId, network, validator, subnets }) =>
    nodeId !== undefined &&
    (typeof validator === "object" || subnets.some((subnet) => typeof subnet.validator === "object"))
      ? [{ nodeId, network }]
      : [],
  );
  const networks = new Set(surveys.map(({ network }) => network));
  if (networks.size <= 1) return { validators: validating.map(({ nodeId }) => nodeId) };
  const known = validating.filter(({ network }) => network !== undefined);
  const byNetwork = [...Map.groupBy(known, ({ network }) => network ?? "")];
  return {
    validators: [],
    validators_by_network: Object.fromEntries(
      byNetwork.map(([network, same]) => [literal(network), same.map(({ nodeId }) => nodeId)]),
    ),
  };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A unique name for each node: its host, with the port where several nodes have one host. A loopback address names no machine,
 * so these nodes are numbered within their network.
 * @param present nodes that have their names already
 */
export function nodeNames(
  surveys: ReadonlyArray<Pick<Survey, "url" | "network">>,
  present: ReadonlyArray<{ readonly name: string; readonly url: string }> = [],
): readonly string[] {
  const hosts = Map.groupBy([...present, ...surveys], ({ url }) => new URL(url).hostname);
  const names = new Set(present.map(({ name }) => name));
  return surveys.map(({ url, network }) => {
    const { host, hostname, pathname } = new URL(url);
    if (LOOPBACK.test(hostname)) return numbered(literal(network ?? "node"), names, 1);
    const isShared = (hosts.get(hostname)?.length ?? 0) > 1;
    return unused(isShared ? `${host}${pathname.replace(/\/+$/, "")}` : hostname, names);
  });
}

/** A text of a node in the notation of the file, where `${` begins a variable. */
function literal(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** The name, with a number where it is used already. */
function unused(name: string, names: Set<string>): string {
  if (names.has(name)) return numbered(name, names, 2);
  names.add(name);
  return name;
}

/** The name with the first free number. */
function numbered(name: string, names: Set<string>, first: number): string {
  let number = first;
  while (names.has(`${name}-${number}`)) number += 1;
  names.add(`${name}-${number}`);
  return `${name}-${number}`;
}
