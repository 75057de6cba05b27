import type { z } from "zod";
import { ApiError } from "../../api/endpoint.ts";
import { createClient } from "../../api/transport/client.ts";
import type { ExitCode, System } from "../../daemon/system.ts";
import { authorizationOf } from "./authorization-of.ts";
import { printable } from "../text/printable.ts";
import { refuse } from "../text/refuse.ts";

/** Address of an exporter on this machine. */
export const LOCAL_EXPORTER = "http://127.0.0.1:9750";
/** Bytes: the fullest history of 5,000 nodes has 6 MB. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Seconds. */
const TIMEOUT = 30;

type Query = Readonly<Record<string, string | undefined>>;

/** Where a running exporter is, from the flags, and the login there. @throws Refused */
export function exporterOf({
  exporter = LOCAL_EXPORTER,
  "login-file": file,
}: {
  readonly exporter?: string;
  readonly "login-file"?: string;
}): Asked {
  const authorization = authorizationOf(file);
  return { url: exporter, headers: authorization === undefined ? {} : { authorization } };
}

type Asked = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Asks a running exporter. Rejects with an `ApiError`. @param timeout seconds */
export async function askExporter<T>(
  { url, headers }: Asked,
  path: string,
  result: z.ZodType<T>,
  query: Query,
  timeout = TIMEOUT,
): Promise<T> {
  const client = createClient({ url, headers, maxResponseBytes: MOST_BYTES, connections: 1 });
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  try {
    return await client.within(timeout, (api) => api.get({ name: path, path, about: "", result }, given));
  } finally {
    await client.close();
  }
}

/** Prints why an exporter did not answer a command. */
export function unanswered(system: System, command: string, url: string, error: unknown, code: ExitCode): ExitCode {
  if (!(error instanceof ApiError)) throw error;
  const remedy = error.failure.status === 401 ? "; pass its login as --login-file" : "";
  return refuse(
    system,
    command,
    `no answer of ${url}: ${error.failure.reason}: ${printable(error.message)}${remedy}`,
    code,
  );
}
