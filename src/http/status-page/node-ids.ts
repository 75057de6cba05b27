import { safe, type Html } from "../pages/html.ts";

/** A node ID, or a subnet, blockchain or validation ID: long enough to need shortening. */
const ID = /(NodeID-[A-HJ-NP-Za-km-z1-9]{20,50}|\b[A-HJ-NP-Za-km-z1-9]{40,60}\b)/;

/** Text whose IDs are shortened on small screens. A selection contains them in full. */
export function withIds(text: string): Html {
  if (text.length < 27) return safe`${text}`;
  const parts = text.split(ID);
  if (parts.length === 1) return safe`${text}`;
  return safe`${parts.map((part, index) => (index % 2 === 1 ? shortId(part) : safe`${part}`))}`;
}

export function shortId(id: string): Html {
  return safe`<span class="id" title="${id}">${id}</span>`;
}
