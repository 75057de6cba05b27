import { z } from "zod";

/**
 * What a field is beside its type. `secret`: nothing under it is ever shown. `file`: it names a file whose content is read at
 * loading time, as a secret (trimmed) or as PEM. `header`: the text, or the file's content, is sent in a header.
 */
export type Tag = { readonly secret?: true; readonly file?: "secret" | "pem"; readonly header?: true };

/** The tags of fields; kept apart from descriptions because they must not land in the JSON Schema. */
export const tags = z.registry<Tag>();
