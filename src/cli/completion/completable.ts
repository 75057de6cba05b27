/** What a shell can complete, taken from the definitions of the commands. */

export type Completable = {
  /** Names that the shell runs the program by. */
  readonly programs: readonly string[];
  /** Command without a name in the arguments. */
  readonly standard: string;
  readonly commands: readonly CompletableCommand[];
};

export type CompletableCommand = {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly CompletableFlag[];
  /** Words by position, the last position for all further ones. */
  readonly words: ReadonlyArray<readonly string[]>;
  /** Words that are offered only beside a flag, such as methods that write. */
  readonly guarded?: { readonly flag: string; readonly position: number; readonly words: readonly string[] };
};

export type CompletableFlag = {
  readonly name: string;
  readonly about: string;
  readonly value: "none" | "file" | "directory" | "any" | readonly string[];
};
