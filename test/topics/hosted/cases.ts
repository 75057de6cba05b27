import type { Case } from "./case.ts";
import { EVM_CASES } from "./evm-bodies.ts";
import { SERIES_CASES } from "./series-bodies.ts";
import { STAKING_CASES } from "./staking-bodies.ts";

/** Bodies of every path of the two hosted services. */
export const CASES: Readonly<Record<string, Case>> = { ...STAKING_CASES, ...EVM_CASES, ...SERIES_CASES };
