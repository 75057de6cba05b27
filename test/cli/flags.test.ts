import { expect, it } from "vitest";
import { parseFlags } from "../../src/cli/flags.ts";

it.each<[readonly string[], object]>([
  [[], { command: "run", flags: {}, args: [] }],
  [["--config.file=c.yaml"], { command: "run", flags: { "config.file": "c.yaml" }, args: [] }],
  [["once", "--config.file", "c.yaml"], { command: "once", flags: { "config.file": "c.yaml" }, args: [] }],
  [["-h"], { command: "run", flags: { help: true }, args: [] }],
  [["call", "a", "info.peers", "{}"], { command: "call", flags: {}, args: ["a", "info.peers", "{}"] }],
  [["call", "a", "m", "--", "--not-a-flag"], { command: "call", flags: {}, args: ["a", "m", "--not-a-flag"] }],
  [["--config.file="], { command: "run", flags: { "config.file": "" }, args: [] }],
])("%j is understood", (args, call) => {
  expect(parseFlags(args)).toEqual(call);
});

it.each<[readonly string[], string]>([
  [["--config-file=c.yaml"], "there is no flag --config-file; did you mean --config.file?"],
  [["--config=c.yaml"], "there is no flag --config; did you mean --config.file?"],
  [["--listen-address=:1"], "there is no flag --listen-address; did you mean --web.listen-address?"],
  [["--foo"], "there is no flag --foo"],
  [["--__proto__"], "there is no flag --__proto__"],
  [["-v"], 'there is no flag "-v"; --help lists all of them'],
  [["--config.file"], "--config.file needs a value: --config.file=FILE"],
  [["--config.file", "--log.level=debug"], "--config.file needs a value: --config.file=FILE"],
  [["--help=yes"], "--help takes no value"],
  [["chek-config"], 'there is no command "chek-config"; did you mean "check-config"?'],
  [["mine.yaml"], 'there is no command "mine.yaml"; a configuration is named with --config.file=mine.yaml'],
  [
    ["check-config", "mine.yaml"],
    'check-config takes no "mine.yaml"; a configuration is named with --config.file=mine.yaml',
  ],
  [["run", "x"], 'run takes no "x"'],
  [["status"], 'there is no command "status"; the commands are run, check-config, once, doctor, call, simulate, demo'],
])("%j is answered in a sentence", (args, problem) => {
  expect(parseFlags(args)).toEqual({ problem });
});
