import { createPlayer, type Question, type Reply } from "../../e2e/support/recording-server.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import type { Twist } from "./played.ts";

/** A field of the answers to one method or resource; `*` stands for each item of a list or value of a map. */
export type Place = { readonly asked: string; readonly path: readonly string[]; readonly value: unknown };

const asked = ({ rpc, path }: Question): string => rpc?.method ?? path;

/** All fields of a recording, each once. */
export function placesOf(recording: string): readonly Place[] {
  const loaded = loadRecording(recording);
  const play = createPlayer(loaded);
  const found = new Map<string, Place>();
  for (const { name, request } of loaded.answers) {
    if (name.startsWith("http.")) continue;
    const { question, reply } = play(request.method, request.path, request.body ?? "");
    const json = parsed(reply.body);
    const root = question.rpc === undefined ? json : (json as { result?: unknown } | undefined)?.result;
    if (root === undefined || question.batch !== undefined) continue;
    for (const [path, value] of fieldsOf(root)) {
      const key = `${asked(question)} ${path.join(".")}`;
      if (!found.has(key) || isEmpty(found.get(key)?.value)) found.set(key, { asked: asked(question), path, value });
    }
  }
  return [...found.values()];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Names of maps: their keys are no fields. */
const isName = (key: string): boolean => key.length > 30 || /^[A-Z0-9]|^\d+$/.test(key);

function fieldsOf(value: unknown, path: readonly string[] = []): ReadonlyArray<readonly [readonly string[], unknown]> {
  if (typeof value !== "object" || value === null) return [[path, value]];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    fieldsOf(each, [...path, Array.isArray(value) || isName(key) ? "*" : key]),
  );
  return [[path, value], ...inner];
}

/** A node that gives the fields of a place another value. */
export function lying({ asked: wanted, path }: Place, lie: (value: unknown) => unknown): Twist {
  const changed = (root: object): unknown => change(root, path, lie);
  return (question, reply): Reply => {
    if (question.batch !== undefined) {
      const replies = parsed(reply.body);
      if (!Array.isArray(replies)) return reply;
      const some = replies.map((each: { result?: object; id?: unknown }) =>
        question.batch?.find(({ id }) => id === each.id)?.method === wanted && each.result !== undefined
          ? { ...each, result: changed(each.result) }
          : each,
      );
      return { ...reply, body: JSON.stringify(some) };
    }
    if (asked(question) !== wanted) return reply;
    const json = parsed(reply.body) as { result?: object } | undefined;
    if (json === undefined) return reply;
    if (question.rpc === undefined) return { ...reply, body: JSON.stringify(changed(json)) };
    return json.result === undefined
      ? reply
      : { ...reply, body: JSON.stringify({ ...json, result: changed(json.result) }) };
  };
}

function change(value: unknown, [key, ...rest]: readonly string[], lie: (value: unknown) => unknown): unknown {
  if (key === undefined) return lie(value);
  if (Array.isArray(value)) return key === "*" ? value.map((each) => change(each, rest, lie)) : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === key || (key === "*" && isName(name)) ? change(each, rest, lie) : (each as unknown),
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
