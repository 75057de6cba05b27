/** `1 node`, `2,000 nodes`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** `2,000`, `1,569,545.63`. Not by `Intl`, whose tables of numbers take 8 MB of memory and 20 ms. */
export function grouped(number: number): string {
  const [whole = "", fraction] = String(number).split(".");
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
