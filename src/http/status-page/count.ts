/** `1 node`, `2,000 nodes`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** `2,000`. */
export function grouped(number: number): string {
  return number < 1_000 ? String(number) : THOUSANDS.format(number);
}

const THOUSANDS = new Intl.NumberFormat("en-US");
