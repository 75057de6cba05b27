import { readdirSync, readFileSync } from "node:fs";

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

/** One node at one moment, as in test/recordings. */
export type Recording = {
  readonly name: string;
  readonly version: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly answers: readonly RecordedAnswer[];
};

const FOLDER = new URL("../../recordings/", import.meta.url);

/** Names of all recordings, sorted. */
export const RECORDING_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .sort();

export function loadRecording(name: string): Recording {
  const content = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as Omit<Recording, "name">;
  return { ...content, name };
}

/** An answer by its name in the recording. */
export function answer(recording: Recording, name: string): RecordedAnswer {
  const found = recording.answers.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${recording.name} has no answer ${name}`);
  return found;
}
