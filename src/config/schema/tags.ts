import { z } from "zod";

/**
 * Properties of a field besides its type. `secret`: its content is never displayed. `file`: it names a file that the loader
 * reads, as a secret (trimmed) or as PEM. `header`: the text, or the file's content, is sent in a header.
 */
export type Tag = { readonly secret?: true; readonly file?: "secret" | "pem"; readonly header?: true };

/** Separate from the descriptions, because the JSON Schema must not contain them. */
export const tags = z.registry<Tag>();
