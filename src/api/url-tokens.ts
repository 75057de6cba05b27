import { isCb58 } from "./cb58.ts";

/** Hosted nodes are reached at addresses such as `https://host/<token>`: whoever reads the address can use it. */

/** Shorter words are names. */
const SHORTEST = 20;
const SHORTEST_PART = 8;

/**
 * The segments of a URL's path that look like a token: 20 characters or more, with a part of letters and digits together that is
 * neither a node ID nor an ID of a chain or subnet, which are no secrets.
 */
export function tokensOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  return new URL(url).pathname.split("/").filter((segment) => segment.length >= SHORTEST && isMixed(segment));
}

function isMixed(segment: string): boolean {
  return segment
    .split(/[^A-Za-z0-9]/)
    .some(
      (part) =>
        part.length >= SHORTEST_PART &&
        /[A-Za-z]/.test(part) &&
        /\d/.test(part) &&
        !isCb58(part, 20) &&
        !isCb58(part, 32),
    );
}

/** The URL with its tokens replaced, for people. */
export function maskedUrl(url: string): string {
  return tokensOf(url).reduce((text, token) => text.replaceAll(token, "<secret>"), url);
}
