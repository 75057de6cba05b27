import { connectionFailure } from "../../api/transport/failures.ts";
import { problemText, type ConfigProblem } from "../../config/base/config-problem.ts";
import { quoted } from "../../config/base/error-texts.ts";
import { readRegularFile, unreadable } from "../../config/read/sources.ts";
import type { ExitCode, System } from "../../daemon/system.ts";

/** Ends a command: a sentence that names the problem and the remedy. */
export class Refused extends Error {
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode = 1) {
    super(message);
    this.code = code;
  }
}

/** Prints why a command did not do its work, in a sentence. Returns `code`: 2 for wrong arguments, 1 for a failure. */
export function refuse({ err }: Pick<System, "err">, command: string, problem: string, code: ExitCode = 2): ExitCode {
  err(`avax-exporter ${command}: ${problem}\n`);
  return code;
}

/** Prints the problems of a configuration. */
export function refuseFile({ err }: Pick<System, "err">, problems: readonly ConfigProblem[]): ExitCode {
  err(problemText(problems));
  return 1;
}

/** The text of a file. @throws Refused */
export function fileText(path: string): string {
  try {
    return readRegularFile(path);
  } catch (error) {
    throw new Refused(`${quoted(path)} cannot be read: ${unreadable(error)}`);
  }
}

/** Why a server gave no answer to `fetch`. @param limit of the request, milliseconds */
export function noAnswer(error: unknown, limit: number): string {
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? `no answer within ${limit / 1000} s` : connectionFailure(error).message;
}
