import { quoted } from "../config/base/words.ts";

/** An address of HTTP; `undefined` for any other text. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The address without the slash at its end; `undefined` if it has credentials, a query or a fragment. */
export function plainAddress(text: string): string | undefined {
  const url = httpUrl(text);
  const extra = url === undefined ? "" : `${url.username}${url.password}${url.search}${url.hash}`;
  return extra === "" ? url?.href.replace(/\/+$/, "") : undefined;
}

type NodeUrl = { readonly url: string; readonly host: string; readonly path: string };

/** The base URLs of nodes given as arguments, each once, or why one is refused; a refused text with credentials is not repeated. */
export function urlsOf(args: readonly string[]): readonly NodeUrl[] | { readonly usage: string } {
  const urls = [...new Set(args)].map((text) => ({ text, url: URL.canParse(text) ? new URL(text) : undefined }));
  const secret = urls.some(({ url }) => url !== undefined && (url.username !== "" || url.password !== ""));
  if (secret) return { usage: "a URL contains credentials; put the node into a configuration file" };
  const wrong = urls.find(({ url }) => url?.protocol !== "http:" && url?.protocol !== "https:");
  if (wrong !== undefined) {
    const bare = /^[\w.-]+:\d+$|^\[[\da-f:]+\]:\d+$/i.test(wrong.text);
    return {
      usage: `${quoted(wrong.text)} is not a URL such as ${bare ? `http://${wrong.text}` : "http://127.0.0.1:9650"}`,
    };
  }
  if (urls.some(({ url }) => url?.search !== "" || url.hash !== ""))
    return { usage: "a URL has a query (?) or a fragment (#); remove it, or put the node into a configuration file" };
  const deep = urls.find(({ url }) => /\/ext(\/|$)/.test(url?.pathname ?? ""));
  if (deep?.url !== undefined) {
    const base = `${deep.url.origin}${deep.url.pathname.replace(/\/ext(\/.*)?$/, "")}`;
    return { usage: `${quoted(deep.text)} is a path of a node's API; write the node's own URL, ${base}` };
  }
  const found = urls.flatMap(({ url }) => {
    if (url === undefined) return [];
    const path = url.pathname.replace(/\/+$/, "");
    return [{ url: `${url.origin}${path}`, host: url.host, path }];
  });
  return [...new Map(found.map((each) => [each.url, each])).values()];
}
