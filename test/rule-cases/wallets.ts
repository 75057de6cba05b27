import type { AlertCases } from "./case.ts";

export const WALLETS_CASES: AlertCases = {
  AvaxEvmWalletLow: {
    fires: { 'avax_wallet_evm_shortfall_avax{network="n",chain="C",wallet="relayer"}': "0.5x20" },
    silent: { 'avax_wallet_evm_shortfall_avax{network="n",chain="C",wallet="relayer"}': "0x20" },
    why: "the balance is above the limit",
  },
  AvaxPlatformWalletLow: {
    fires: { 'avax_wallet_platform_shortfall_avax{network="n",wallet="relayer"}': "3x20" },
    silent: { 'avax_wallet_platform_shortfall_avax{network="n",wallet="relayer"}': "0x20" },
    why: "the unlocked balance is above the limit",
  },
  AvaxUtxoWaiting: {
    fires: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x80" },
    silent: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x50 0x30" },
    why: "the import followed after fifty minutes",
  },
};
