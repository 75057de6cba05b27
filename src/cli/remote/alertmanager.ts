import { authorizationOf } from "./authorization-of.ts";
import { noAnswer, Refused } from "../text/refuse.ts";

const DEFAULT_ALERTMANAGER = "http://127.0.0.1:9093";
/** For each request, milliseconds. */
export const LIMIT = 10_000;

/** An Alertmanager, and the login there. */
export type Alertmanager = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The Alertmanager of the flags. @throws Refused where the file of the login cannot be read */
export function alertmanagerOf(flags: {
  readonly alertmanager?: string;
  readonly "login-file"?: string;
}): Alertmanager {
  const authorization = authorizationOf(flags["login-file"]);
  return {
    url: flags.alertmanager ?? DEFAULT_ALERTMANAGER,
    headers: authorization === undefined ? {} : { authorization },
  };
}

/** The answer of Alertmanager, by default to a GET, with a body to a POST. @throws Refused */
export async function askAlertmanager(
  { url, headers }: Alertmanager,
  path: string,
  body?: string,
  method = body === undefined ? "GET" : "POST",
): Promise<string> {
  const json = { "content-type": "application/json" };
  const request = body === undefined ? { headers, method } : { method, body, headers: { ...headers, ...json } };
  const answer = await fetch(`${url}${path}`, { ...request, signal: AbortSignal.timeout(LIMIT) }).then(
    async (response) => ({ response, text: await response.text() }),
    (error: unknown) => {
      throw new Refused(
        `${url}: ${noAnswer(error, LIMIT)}; pass the address of a running Alertmanager as --alertmanager`,
      );
    },
  );
  const { response, text } = answer;
  if (response.ok) return text;
  const remedy = response.status === 401 ? "; pass its login as --login-file" : "";
  throw new Refused(`${url} answered ${response.status}: ${text.slice(0, 200).trim()}${remedy}`);
}
