import { safe, type Html } from "../pages/html.ts";

/** A relative time, with the absolute time as an attribute. @param seconds Unix seconds */
export function when(seconds: number | undefined, words: string): Html {
  if (seconds === undefined) return safe`${words}`;
  const exact = new Date(seconds * 1000).toISOString().slice(0, 19);
  return safe`<time datetime="${exact}Z" title="${exact.replace("T", " ")} UTC">${words}</time>`;
}
