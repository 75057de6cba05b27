import type { AlertCases } from "./case.ts";

export const WALLETS_CASES: AlertCases = {
  AvaxEvmWalletLow: {
    fires: {
      'avax_wallet_evm_balance_avax{network="n",chain="C",wallet="relayer"}': "0.5x20",
      'avax_wallet_low_balance_avax{network="n",wallet="relayer"}': "1x20",
    },
    silent: {
      'avax_wallet_evm_balance_avax{network="n",chain="C",wallet="relayer"}': "1.5x20",
      'avax_wallet_low_balance_avax{network="n",wallet="relayer"}': "1x20",
    },
    why: "the balance is above the limit",
  },
  AvaxPlatformWalletLow: {
    at: "17m",
    fires: {
      'avax_wallet_platform_balance_avax{network="n",wallet="relayer",state="unlocked"}': "10x5 2x20",
      'avax_wallet_platform_balance_avax{network="n",wallet="relayer",state="locked"}': "0x25",
      'avax_wallet_low_balance_avax{network="n",wallet="relayer"}': "5x25",
    },
    silent: {
      'avax_wallet_platform_balance_avax{network="n",wallet="relayer",state="unlocked"}': "10x25",
      'avax_wallet_platform_balance_avax{network="n",wallet="relayer",state="locked"}': "0x25",
      'avax_wallet_low_balance_avax{network="n",wallet="relayer"}': "5x25",
    },
    why: "no AVAX is locked, and the unlocked balance is above the limit",
  },
  AvaxUtxoWaiting: {
    fires: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x80" },
    silent: { 'avax_wallet_import_utxos{network="n",wallet="treasury",source_chain="P"}': "1x50 0x30" },
    why: "the import followed after fifty minutes",
  },
};
