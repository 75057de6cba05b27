import { readFileSync } from "node:fs";
import { quoted } from "../../config/base/error-texts.ts";
import { unreadable } from "../../config/read/sources.ts";
import { Refused } from "../text/refuse.ts";

/** The header `authorization` of the credentials in a file: user:password, or a bearer token. @throws Refused */
export function authorizationOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const secret = contentOf(file).trim();
  if (secret === "" || /[\r\n]/.test(secret)) throw new Refused(`${quoted(file)} must have one line`);
  return secret.includes(":") ? `Basic ${Buffer.from(secret).toString("base64")}` : `Bearer ${secret}`;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Refused(`cannot read ${quoted(file)}: ${unreadable(error)}`);
  }
}
