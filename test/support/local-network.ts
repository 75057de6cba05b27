import type { SubnetConfig } from "../../src/config/config.ts";

/** The network of most recordings. */

export const S1 = "BKBZ6xXTnT86B4L5fp8rvtcmNSpvtNz8En9jG61ywV2uWyeHy";
export const S2 = "mAAwNdYgpbsfCaEJMpVAooWWBoSMvtTB8cpMnbRvsC4nAMQzx";
export const PERM1 = "2Mcvq9yQR3cBePqQVhp6hr9vj4m4JNKNNyuPLWujqPwCipbrwB";
export const L1ONE = "2hPfR53XTbmThBE6mZCTwi7m19qugoeFRpw89bU2rpmN6dPk7W";

export const SUBNETS: readonly SubnetConfig[] = [
  { id: S1, name: "permissioned", chains: [{ id: PERM1, name: "perm1", evm: true }] },
  { id: S2, name: "l1", chains: [{ id: L1ONE, name: "l1one", evm: true }] },
];
