/** What a thread runs: a file, or the text of a program. */
export type WorkerCode = { readonly code: URL | string; readonly eval: boolean };
