import { readdirSync, readFileSync } from "node:fs";
import type { z } from "zod";
import { infoMethods } from "../../src/api/node/info.ts";

/** The recordings of real nodes in test/recordings. */

export type RecordedAnswer = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
};
export type Recording = {
  readonly ids: Readonly<Record<string, string>>;
  readonly answers: readonly RecordedAnswer[];
};

const FOLDER = new URL("../recordings/", import.meta.url);

export const RECORDINGS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .sort();

const known = new Map<string, Recording>();

/** A recording by name. */
export function recordingOf(name: string): Recording {
  const found = known.get(name) ?? (JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as Recording);
  known.set(name, found);
  return found;
}

/** A recorded answer by name. @throws if there is none */
export function recordedAnswer(recording: string, name: string): RecordedAnswer {
  const answer = recordingOf(recording).answers.find((each) => each.name === name);
  if (answer === undefined) throw new Error(`${recording} has no ${name}`);
  return answer;
}

/** The `result` of a recorded JSON-RPC answer, or the body of a GET, parsed with a schema. */
export function recorded<T>(recording: string, name: string, schema: z.ZodType<T>): T {
  const { request, response } = recordedAnswer(recording, name);
  const body = JSON.parse(response.body) as { readonly result?: unknown };
  return schema.parse(request.method === "GET" ? body : body.result);
}

type InfoMethods = typeof infoMethods;

/** The recorded answer to an info method, parsed with its schema. */
export function recordedInfo<K extends keyof InfoMethods>(
  recording: string,
  method: K,
): z.infer<InfoMethods[K]["result"]> {
  const schema: z.ZodType = infoMethods[method].result;
  return recorded(recording, `info.${method}`, schema) as z.infer<InfoMethods[K]["result"]>;
}
