import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { quoted } from "../../config/base/error-texts.ts";

/** The addresses at which browsers reach the exporter. */
export type OwnAddresses = {
  /** Host names in lower case, without ports. */
  readonly names: ReadonlySet<string>;
  /** Origin of `--web.external-url`. */
  readonly external: string | undefined;
};

type Known = {
  /** Hosts of the listen addresses; undefined for all interfaces. */
  readonly listenHosts: ReadonlyArray<string | undefined>;
  readonly hostname: string | undefined;
  readonly externalUrl: string | undefined;
};

export function ownAddresses({ listenHosts, hostname, externalUrl }: Known): OwnAddresses {
  const external = externalUrl === undefined ? undefined : urlOf(externalUrl);
  const names = [...listenHosts, hostname, external?.hostname].filter((name) => name !== undefined);
  return { names: new Set(names.map((name) => name.toLowerCase())), external: external?.origin };
}

/**
 * The reason to refuse a request that a page of another site may have made a browser send; undefined when it is accepted.
 * Programs (Prometheus, curl, kubelet) send none of the headers that are looked at, and pass at any address.
 *
 * A page of another site is known by `Sec-Fetch-Site`, `Origin` or `Referer`. A page whose name was pointed at the exporter (DNS
 * rebinding) is of the same site for the browser, and known by its name in `Host`.
 */
export function crossSiteRefusal(
  headers: IncomingHttpHeaders,
  scheme: "http" | "https",
  own: OwnAddresses,
): string | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return foreign("Sec-Fetch-Site", String(site));
  const host = urlOf(`${scheme}://${headers.host ?? ""}`);
  for (const [name, sender] of [
    ["Origin", headers.origin],
    ["Referer", headers.referer],
  ] as const) {
    if (sender === undefined) continue;
    const origin = urlOf(sender)?.origin;
    if (origin !== undefined && origin === own.external) return undefined;
    if (origin === undefined || origin !== host?.origin) return foreign(name, sender);
  }
  if (!isOfBrowser(headers) || isOwnHost(host?.hostname, own)) return undefined;
  return `Refused: a browser sent the request to ${quoted(headers.host ?? "")}, which is not an address of the exporter that it knows. Set --web.external-url to the address that the browser shows, or use the IP address, localhost or the name of the machine.`;
}

/** Headers of a browser that a page cannot leave out: on plain HTTP there is no `Sec-Fetch-Site`, and a page can set `User-Agent`. */
function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  const names = ["origin", "referer", "accept-language", "upgrade-insecure-requests"];
  return (
    Object.keys(headers).some((name) => names.includes(name) || name.startsWith("sec-")) ||
    (headers["user-agent"] ?? "").startsWith("Mozilla/")
  );
}

/** Whether a name cannot be one that the owner of another site has registered. */
function isOwnHost(hostname: string | undefined, { names }: OwnAddresses): boolean {
  const name = hostname?.replace(/\.$/, "") ?? "";
  if (name === "") return false;
  // A name without a dot is one of the local network or cluster, such as that of a Service.
  return (
    isIP(name.replace(/^\[|\]$/g, "")) > 0 || !name.includes(".") || name.endsWith(".localhost") || names.has(name)
  );
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function foreign(header: string, value: string): string {
  return `Refused: a page of another site made this browser send the request (${header}: ${quoted(value)}). If the page is the exporter's own, behind a proxy, set --web.external-url to the address that the browser shows.`;
}
