import type { AlertCases } from "./case.ts";

const RUNWAY = 'avax_l1_own_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';
const OTHERS = 'avax_l1_others_runway_seconds{network="n",subnet="S"}';
const UPTIME = 'avax_l1_validator_observed_uptime_ratio{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';

export const L1_CASES: AlertCases = {
  AvaxL1ValidatorOffline: {
    fires: { 'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x5 stale 1x20" },
    silent: { 'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x9 0x20" },
    why: "it is online again",
  },
  AvaxL1ValidatorsOffline: {
    fires: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x40" },
    silent: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x20 0x20" },
    why: "they are back",
  },
  AvaxL1RunwayShort: {
    fires: { [RUNWAY]: "259200x20" },
    silent: { [RUNWAY]: "2592000x20" },
    why: "the balance lasts thirty days",
  },
  AvaxL1RunwayCritical: {
    fires: { [RUNWAY]: "570x20" },
    silent: { [RUNWAY]: "864000x20" },
    why: "the balance lasts ten days",
  },
  AvaxL1BalancesShort: {
    fires: { [OTHERS]: "570x20" },
    silent: { [OTHERS]: "864000x20" },
    why: "the first balance lasts ten days",
  },
  AvaxL1UptimeLow: { fires: { [UPTIME]: "0.79x30" }, silent: { [UPTIME]: "0.8x30" }, why: "80 % suffices" },
};
