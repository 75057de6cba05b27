import { parseArgs } from "node:util";
import { commandProblem, flagProblem } from "./flag-words.ts";

/** Flags in the spelling of Prometheus and its exporters. */
const FLAGS = {
  "config.file": {
    type: "string",
    value: "FILE",
    help: "Configuration file (YAML). Without one the node of this machine is watched.",
  },
  "web.listen-address": { type: "string", value: "ADDRESS", help: "Address to listen on, default :9750." },
  "web.telemetry-path": { type: "string", value: "PATH", help: "Path of the metrics, default /metrics." },
  "web.config.file": {
    type: "string",
    value: "FILE",
    help: "TLS, client certificates and basic authentication of the exporter's own pages.",
  },
  "web.max-requests": { type: "string", value: "N", help: "Scrapes at the same time, default 40." },
  "web.disable-exporter-metrics": {
    type: "boolean",
    value: "",
    help: "Leave out process_*, nodejs_* and avax_exporter_*.",
  },
  "shard.index": {
    type: "string",
    value: "N",
    help: "run, once, check-config: which of several processes this is, from 0; auto: the number that ends the host's name.",
  },
  "shard.total": { type: "string", value: "N", help: "run, once, check-config: how many processes share the nodes." },
  "log.level": { type: "string", value: "LEVEL", help: "debug, info, warn or error; default info." },
  "log.format": { type: "string", value: "FORMAT", help: "logfmt or json; default logfmt." },
  "once.timeout": { type: "string", value: "DURATION", help: "once: give up after this time, default 60s." },
  "doctor.timeout": {
    type: "string",
    value: "DURATION",
    help: "doctor: give up after this time, default 30s, of many nodes more.",
  },
  chain: { type: "string", value: "CHAIN", help: "call: EVM chain by alias or ID, default C." },
  "allow-write": { type: "boolean", value: "", help: "call: send what may change the node or the network." },
  "call.timeout": { type: "string", value: "DURATION", help: "call: give up after this time, default 30s." },
  nodes: { type: "string", value: "N", help: "simulate, demo: nodes, default 5." },
  scenario: {
    type: "string",
    value: "NAME",
    help: "simulate, demo: a scenario for all nodes, or NODE=NAME, comma separated.",
  },
  dialect: { type: "string", value: "DIALECT", help: "simulate: avalanchego or spec; default avalanchego." },
  speed: { type: "string", value: "FACTOR", help: "simulate, demo: simulated seconds in a second, default 1." },
  port: { type: "string", value: "PORT", help: "simulate: first port, default 19650." },
  version: { type: "boolean", value: "", help: "Print the version." },
  help: { type: "boolean", value: "", help: "Print this help.", short: "h" },
} as const;

export type FlagName = keyof typeof FLAGS;

/** The text flags that were given. */
export type Flags = { readonly [K in FlagName]?: (typeof FLAGS)[K]["type"] extends "boolean" ? boolean : string };

export const COMMANDS = {
  run: "Poll the nodes and serve /metrics (the default).",
  "check-config": "Check the configuration; print every problem with its place.",
  once: "Poll everything once and print the metrics; fails when a configured poll failed.",
  doctor: "Look once and say what is wrong, how it is known and what to do: doctor [URL…].",
  call: "Send one request to a node and print the result: call NODE METHOD [JSON]; see call --help.",
  simulate: "Run the simulated network alone.",
  demo: "Run the simulated network and the exporter on it.",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** `args` are the words behind the command; only `call` and `doctor` take any. */
export type Call = { readonly command: CommandName; readonly flags: Flags; readonly args: readonly string[] };

/** Reads the arguments. A call that cannot be understood comes back as a sentence. */
export function parseFlags(args: readonly string[]): Call | { readonly problem: string } {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, flag]) => [
      name,
      { type: flag.type, ...("short" in flag ? { short: flag.short } : {}) },
    ]),
  );
  const wrong = flagProblem(args, FLAGS, ["h"]);
  if (wrong !== undefined) return { problem: wrong };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  const [command = "run", ...rest] = positionals;
  if (!isCommand(command) || (rest.length > 0 && !TAKING.includes(command)))
    return { problem: commandProblem(command, rest, Object.keys(COMMANDS), TAKING) ?? "" };
  return { command, flags: values, args: rest };
}

/** Commands that take words. */
const TAKING: readonly string[] = ["call", "doctor"];

function isCommand(word: string): word is CommandName {
  return word in COMMANDS;
}

/** The help text. */
export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(([name, help]) => `  ${name.padEnd(14)}${help}`);
  const flags = Object.entries(FLAGS).map(([name, { value, help }]) => {
    const shown = value === "" ? `--${name}` : `--${name}=${value}`;
    return `  ${shown.padEnd(34)}${help}`;
  });
  return ["avax-exporter [command] [flags]", "", "Commands:", ...commands, "", "Flags:", ...flags, ""].join("\n");
}
