import { toAvax } from "../../api/wire.ts";
import { listed, paragraph, utcText } from "../../diagnosis/wording.ts";
import { span } from "../../config/base/durations.ts";
import { ADMIN, type InterfaceState } from "./interface-states.ts";
import type { Survey } from "./survey.ts";
import { isOptional, metricsOf, sourceOf } from "../../topics/define/catalogue.ts";
import { TOPICS } from "../../topics/all/topics.ts";

/** What `init` found, as text. */

/** A node with its facts, and what its missing interfaces cost. @param now Unix seconds */
export function surveyLines(found: Survey, name: string, now: number): readonly string[] {
  const { url, network, networkId, nodeId, version, unknownChains } = found;
  const id = networkId === undefined ? "" : ` (network ID ${networkId})`;
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["name", name],
    ["network", network === undefined ? "unknown: set network" : `${network}${id}`],
    ["node ID", nodeId ?? "unknown: set node_id"],
    ["version", version ?? "unknown"],
    ["staking", stakingText(found, now)],
    ["chains", chainsText(found)],
    ...found.subnets.map((subnet): readonly [string, string] => ["subnet", subnetText(subnet)]),
    ...(unknownChains.length === 0
      ? []
      : [["chains", `of unknown subnets: ${unknownChains.join(", ")}; add them under subnets`] as const]),
    ...missing(found).map(({ text }): readonly [string, string] => ["off", text]),
  ];
  return [url, ...rows.flatMap(([mark, text]) => paragraph(mark, text, "  "))];
}

/** The comment before the entry of a node. */
export function noteLines(found: Survey): readonly string[] {
  return [
    `${found.version ?? "Version unknown"}; ${stakingText(found)}.`,
    ...missing(found).map(({ name, words }) => `${name} is ${words}.`),
  ];
}

/** @param now Unix seconds; without it the text has no relative time, which a file would soon have wrong */
function stakingText({ validator, nodeId }: Survey, now?: number): string {
  if (validator === "none") return "not a validator of the Primary Network";
  if (validator === undefined)
    return nodeId === undefined ? "unknown without a node ID" : "unknown whether a validator";
  const { weight, endTime } = validator;
  const stake = `validator with a stake of ${number(toAvax(weight))} AVAX`;
  if (endTime === undefined) return stake;
  const left = now === undefined ? "" : ` (${endTime > now ? `in ${span(endTime - now)}` : "ended"})`;
  return `${stake}, until ${utcText(endTime).slice(0, 16)} UTC${left}`;
}

function chainsText({ primaryChains }: Survey): string {
  return primaryChains
    .map(({ name, state }) => (state === "bootstrapped" ? name : `${name} (${STATES[state]})`))
    .join(", ");
}

const STATES = { bootstrapping: "bootstrapping", absent: "not run", unknown: "unknown" } as const;

function subnetText({ id, chains, validator }: Survey["subnets"][number]): string {
  const names = chains.map(({ name, isEvm, evmChainId }) =>
    isEvm ? `${name} (EVM${evmChainId === undefined ? "" : ` ${evmChainId}`})` : name,
  );
  const start = `${id}: ${names.join(", ")}; `;
  if (typeof validator !== "object") return `${start}not a validator`;
  return `${start}validator${validator.balance === undefined ? "" : `, balance ${number(validator.balance)} AVAX`}`;
}

type Missing = { readonly name: string; readonly words: string; readonly text: string };

/** The interfaces without an answer, with the metrics that need them. */
function missing({ interfaces, primaryChains }: Survey): readonly Missing[] {
  const ofC = primaryChains.find(({ name }) => name === "C")?.state;
  return interfaces.flatMap((state) => {
    const { name, failure, ofCChain } = state;
    if (failure === undefined) return [];
    // A node serves nothing of a chain that it does not run, or does not run yet.
    const words = ofCChain && (ofC === "bootstrapping" || ofC === "absent") ? STATES[ofC] : whyOff(failure);
    const families = familiesOf(state);
    const lost = families.length === 0 ? "" : `: no ${listed(families, LISTED)}`;
    return [{ name, words, text: `${name} (${words})${lost}${words === OFF && name === ADMIN ? USUALLY_OFF : ""}` }];
  });
}

const OFF = "off";

function whyOff({ reason, status, message }: NonNullable<InterfaceState["failure"]>): string {
  if (reason === "unsupported" || status === 404) return OFF;
  if (reason === "not_bootstrapped") return "bootstrapping";
  return reason === "rpc_error" ? `error: ${message}` : reason;
}

const USUALLY_OFF = " (usual: nodes serve it only if configured to, and never after the Helicon upgrade)";

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

/** Families that are listed by name. */
const LISTED = 2;

/** Families that need an interface. Comparisons are left out: they lack one node of several. */
function familiesOf({ serves }: Pick<InterfaceState, "serves">): readonly string[] {
  const topics = TOPICS.filter(
    ({ scope, needs }) =>
      scope !== "comparison" && Object.values(needs).some((need) => !isOptional(need) && serves(sourceOf(need).id)),
  );
  return topics.flatMap((topic) => metricsOf(topic).map(({ name }) => name));
}
