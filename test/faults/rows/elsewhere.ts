/** Lies about others, and faults of what is no node: their own tests cause them, not the matrix. `test` is a file and a part of a title in it. */
export const ELSEWHERE: ReadonlyArray<{
  readonly fault: string;
  readonly outcome: string;
  readonly test: readonly [file: string, title: string];
}> = [
  {
    fault: "One node dates a block, an event or a check in the future",
    outcome: "that time is absent, or the answer fails as `schema`; nothing waits for it",
    test: [
      "api/is-late.test.ts",
      "no reader of a node's answer gives a time of the past that is later than the answer",
    ],
  },
  {
    fault: "One node of three has new blocks of a chain that stands still",
    outcome: "the chain is stalled: its newest block is one that a second node has",
    test: ["topics/evm/evm-pauses.test.ts", "is where one of three alone has a new block"],
  },
  {
    fault: "The clock of the exporter is seven minutes behind",
    outcome: "one finding about the clock; the polls that fail by it are its consequences",
    test: ["daemon/examine.test.ts", "a clock of the exporter that is seven minutes behind is one finding"],
  },
  {
    fault: "The reference node reports an EVM head of 1,000 blocks more, and serves them",
    outcome: "counting starts over after three polls, with one line in the log",
    test: ["api/node/evm-blocks.test.ts", "heals with the third poll after a lie about a head far above"],
  },
  {
    fault: "The reference node reports a P-Chain head of 40 blocks more with a later time",
    outcome: "the same",
    test: ["api/node/platform-blocks.test.ts", "starts over with the third poll after a lie about a higher head"],
  },
  {
    fault: "A hosted page has block 9·10¹¹, with the time of 2191 or a possible one",
    outcome: "counting goes on after three answers without that block",
    test: ["topics/hosted/hosted-transactions.test.ts", "after one page with block 9e11"],
  },
  {
    fault: "A row of a hosted service is dated in the future",
    outcome: "its time is absent",
    test: ["api/is-late.test.ts", "rows of a hosted service have no time of the past that is later than the answer"],
  },
  {
    fault: "One node reports a height of 50 or 90 blocks more",
    outcome: "no other node is late; its height is left out until a second node confirms it",
    test: ["topics/chains/lag.test.ts", "makes none of them late"],
  },
  {
    fault: "One node alone reports `connected: false` of a validator",
    outcome: "a ticket, no page",
    test: ["topics/validators/disconnected.test.ts", "that one of three reports as disconnected"],
  },
  {
    fault: "One node reports other keys, balances, weights, members or prices, or fails every request",
    outcome: "no page about another node; forgotten after three polls",
    test: ["poller/single-word.test.ts", "pages about no other one, and is forgotten after three polls"],
  },
  {
    fault: "The reference node and a second one report other validators",
    outcome: "that is the finding, with both names",
    test: ["poller/single-word.test.ts", "that is the finding, with both names"],
  },
  {
    fault: "One node reports another upgrade time, its own or that of its peers",
    outcome: "no other node counts as not ready",
    test: ["topics/network/upgrade-readiness.test.ts", "makes no other one not ready"],
  },
  {
    fault: "The reference node fails one method",
    outcome: "the next node is asked before a series is gone",
    test: ["poller/questions.test.ts", "is not asked it any more: the next node is"],
  },
  {
    fault: "Pages of a hosted service overlap",
    outcome: "each row counts once",
    test: ["topics/hosted/overlap.test.ts", "each row counts once"],
  },
  {
    fault: "A list, a text or the greatest number in any field of any method",
    outcome: "no figure that cannot be, no family without a bound, nothing about others; heals",
    test: ["faults/fields/fields.test.ts", "in any field causes no error"],
  },
  {
    fault: "A server resets a kept connection once",
    outcome: "no failure: the request is sent again",
    test: [
      "api/transport/client-network.test.ts",
      "is no failure where a server that answered resets a kept connection",
    ],
  },
  {
    fault: "Terminal escapes in the message of a server",
    outcome: "shown as in JSON by every command",
    test: ["daemon/system.test.ts", "no text of a server reaches a terminal as an escape"],
  },
  {
    fault: "A Prometheus answers with NaN, 1e300 or a word where a time is expected",
    outcome: "`report` prints it as unknown",
    test: ["cli/report/prometheus-client.test.ts", '"8.64e12"'],
  },
  {
    fault: "A Prometheus redirects `report` or `backtest`",
    outcome: "an error; credentials are sent nowhere else",
    test: ["cli/report/prometheus-client.test.ts", "sends its credentials to no address that an answer leads to"],
  },
  {
    fault: "`--storage.path` has a folder named `lock`, or files of other programs",
    outcome: "they stay, and the exporter runs",
    test: ["daemon/storage/lock-folder.test.ts", "files of other programs stay"],
  },
  {
    fault: "`state.json.tmp` is a symbolic link",
    outcome: "its target stays as it is",
    test: ["daemon/storage/storage.test.ts", "never truncates what a symbolic link"],
  },
  {
    fault: "A label `__proto__` in the configuration",
    outcome: "refused with its line",
    test: ["config/testdata/invalid-unknown-key.txt", 'the key "__proto__" cannot be used'],
  },
  {
    fault: "A line break in the folder of `init --stack`",
    outcome: "refused",
    test: ["cli/init.test.ts", "writes no stack to a folder whose name has a line break"],
  },
  {
    fault: "SIGHUP with a web configuration that has lost its login",
    outcome: "the log has a warning: the pages are open",
    test: ["daemon/reloading.test.ts", "the login is gone from the web configuration"],
  },
  {
    fault: "A defect of a command",
    outcome: "exit code 70, the version and a short stack",
    test: ["main.test.ts", "a defect ends with exit code 70"],
  },
];
