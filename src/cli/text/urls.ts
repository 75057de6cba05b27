import { quoted } from "../../config/base/error-texts.ts";
import { fileText, Refused } from "./refuse.ts";

/** The address without the slash at its end; `undefined` if it is none of HTTP, or has credentials, a query or a fragment. */
export function plainAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const extra = `${url.username}${url.password}${url.search}${url.hash}`;
  return extra === "" ? url.href.replace(/\/+$/, "") : undefined;
}

/** A refused address in quotes, without its password and its query. */
export function quotedAddress(text: string): string {
  return quoted(text.replace(/\/\/.*@/, "//…@").replace(/(:\/\/[^?#]*[?#]).*/, "$1…"));
}

/** The base URLs of nodes given as arguments, each once, or why one is refused. A path of a node's API stands for its node. */
export function urlsOf(args: readonly string[]): readonly string[] | { readonly usage: string } {
  const wrong = args.find((text) => plainAddress(text) === undefined);
  if (wrong !== undefined)
    return {
      usage: `${quotedAddress(wrong)} is not a URL such as http://127.0.0.1:9650; write one with credentials or a query into a configuration file`,
    };
  const addresses = args.map((text) => (plainAddress(text) ?? "").replace(/\/ext(\/.*)?$/, ""));
  return [...new Set(addresses)];
}

/** The URLs of a file, one a line; lines that begin with # are comments. @throws Refused */
export function listedUrls(file: string): readonly string[] {
  const lines = fileText(file)
    .split("\n")
    .map((line) => line.trim());
  const wrong = lines.findIndex((line) => isUrlLine(line) && plainAddress(line) === undefined);
  if (wrong >= 0)
    throw new Refused(
      `${file}:${wrong + 1}: ${quotedAddress(lines[wrong] ?? "")} is not a URL such as http://127.0.0.1:9650`,
    );
  const urls = lines.filter(isUrlLine);
  if (urls.length === 0) throw new Refused(`${quoted(file)} has no URLs`);
  return urls;
}

const isUrlLine = (line: string): boolean => line !== "" && !line.startsWith("#");
