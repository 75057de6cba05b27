/** Shares and IDs for people, the same on pages, in reports and in commands. */

/** Floats such as 0.9999 * 100 lie a little below their value. */
const ROUNDING = 1e-6;

/** A share, rounded down, because 79.996 % is not the required 80 %: `80 %`, `90.12 %`. */
export function percent(ratio: number): string {
  return `${Math.floor(ratio * 10_000 + ROUNDING) / 100} %`;
}

/** A long ID by its begin: `NodeID-7Xhw2m…`, `2qPTqr…`. Other texts are left whole. */
export function shortId(id: string): string {
  return id.replace(/^(NodeID-)?(\w{6})\w{26,}$/, "$1$2…");
}
