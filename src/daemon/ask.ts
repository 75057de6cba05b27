import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks a question and resolves with the line that answers it; `undefined` when the input ends. A secret is not shown as it is typed. */
export type Ask = (question: string, isSecret: boolean) => Promise<string | undefined>;

/** Asks on a terminal, or reads the answers from a pipe, one a line. The input is read from the first question on. */
export function askOn(input: NodeJS.ReadableStream & { isTTY?: boolean }, output: NodeJS.WritableStream): Ask {
  let isMuted = false;
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) output.write(chunk);
      done();
    },
  });
  let lines: AsyncIterator<string> | undefined;
  const open = (): AsyncIterator<string> => {
    const reader = createInterface({ input, output: echo, terminal: input.isTTY === true });
    // Control and C end the questions.
    reader.on("SIGINT", () => reader.close());
    return reader[Symbol.asyncIterator]();
  };
  return async (question, isSecret) => {
    output.write(`${question}: `);
    isMuted = isSecret;
    lines ??= open();
    const line = await lines.next();
    isMuted = false;
    if (isSecret || input.isTTY !== true) output.write("\n");
    return line.done === true ? undefined : line.value.trim();
  };
}
