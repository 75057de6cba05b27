import type { z } from "zod";
import { infoMethods } from "../../src/api/node/info.ts";
import {
  answer,
  loadRecording,
  RECORDING_NAMES,
  type RecordedAnswer,
  type Recording,
} from "../e2e/support/recording.ts";

/** The recordings of real nodes, read with the schemas of the exporter. */

export type { RecordedAnswer, Recording };
export const RECORDINGS = RECORDING_NAMES;

const known = new Map<string, Recording>();

/** A recording by name. */
export function recordingOf(name: string): Recording {
  const found = known.get(name) ?? loadRecording(name);
  known.set(name, found);
  return found;
}

/** A recorded answer by name. @throws if there is none */
export function recordedAnswer(recording: string, name: string): RecordedAnswer {
  return answer(recordingOf(recording), name);
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
