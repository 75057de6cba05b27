/** `1 node`, `2,000 nodes`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** `2,000`. */
export function grouped(number: number): string {
  return number < 1_000 ? String(number) : THOUSANDS.format(number);
}

const THOUSANDS = new Intl.NumberFormat("en-US");
