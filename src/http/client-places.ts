import { isIPv6 } from "node:net";

/** Counts the running requests of each client, so that one of them leaves places to the others. */
export type ClientPlaces = {
  /** Takes a place; the function that gives it back. `undefined` when all are taken, or by this client half of them. */
  readonly take: (client: string) => (() => void) | undefined;
};

/** @param most places of all clients together; 0 for no limit */
export function createPlaces(most: number): ClientPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(address) {
      const client = clientOf(address);
      const own = taken.get(client) ?? 0;
      if (most > 0 && (all >= most || own >= Math.ceil(most / 2))) return undefined;
      all++;
      taken.set(client, own + 1);
      return () => {
        all--;
        const left = (taken.get(client) ?? 1) - 1;
        if (left > 0) taken.set(client, left);
        else taken.delete(client);
      };
    },
  };
}

/** The client of an address: that address, or of IPv6 its network of 64 bits, in which one host has any number of addresses. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [text = ""] = address.split("%");
  if (!isIPv6(text)) return address;
  const [left = [], right = []] = text.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  // An IPv4 address at the end stands for two groups; only the first four groups count here.
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(":")}::/64`;
}
