import { parentPort } from "node:worker_threads";
import { compareSync } from "bcryptjs";
import type { PasswordAnswer, PasswordQuestion } from "./password-check.ts";

/** Entry point of the thread that runs bcrypt. */
parentPort?.on("message", ({ id, password, hash }: PasswordQuestion) =>
  parentPort?.postMessage(answer(id, password, hash)),
);

function answer(id: number, password: string, hash: string): PasswordAnswer {
  try {
    return { id, matches: compareSync(password, hash) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
