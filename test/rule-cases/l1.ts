import type { AlertCases } from "./case.ts";

const RUNWAY = 'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';
const ACTIVE = 'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';

const WATCHED = 'avax_validator_in_set{network="n",subnet="S",node_id="NodeID-A"}';
const UPTIME = 'avax_l1_validator_uptime_ratio{network="n",subnet="S",node_id="NodeID-A",validation_id="V",node="b"}';
const START = 'avax_l1_validator_start_timestamp_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';

export const L1_CASES: AlertCases = {
  AvaxL1ValidatorOffline: {
    fires: { 'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x20" },
    silent: {
      'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x20",
      'avax_node_up{node="a",network="n"}': "1x5 0 1x20",
      'avax_node_configured{node="a",network="n",node_id="NodeID-A"}': "1x30",
    },
    why: "it was restarted within the last ten minutes",
  },
  AvaxL1ValidatorsOffline: {
    fires: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x40" },
    silent: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x20 0x20" },
    why: "they are back",
  },
  AvaxL1RunwayShort: {
    fires: { [RUNWAY]: "259200x20", [ACTIVE]: "1x20", [WATCHED]: "1x20" },
    silent: { [RUNWAY]: "2592000x20", [ACTIVE]: "1x20", [WATCHED]: "1x20" },
    why: "the balance lasts thirty days",
  },
  AvaxL1RunwayCritical: {
    fires: { [RUNWAY]: "570x20", [ACTIVE]: "1x20", [WATCHED]: "1x20" },
    silent: {
      [RUNWAY]: "864000x20",
      [ACTIVE]: "1x20",
      [WATCHED]: "1x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-B",validation_id="W"}': "0x20",
    },
    why: "the balance lasts ten days, and the other validator is not watched",
  },
  AvaxL1BalancesShort: {
    fires: {
      [RUNWAY]: "570x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-B",validation_id="W"}': "0x20",
    },
    silent: { [RUNWAY]: "570x20", [WATCHED]: "1x20" },
    why: "the validator is watched",
  },
  AvaxL1UptimeLow: {
    fires: { [UPTIME]: "0.79x30", [START]: "-90000x30" },
    silent: {
      [UPTIME]: "0.79x30",
      [START]: "-80000x30",
      'avax_l1_validator_uptime_ratio{network="n",subnet="S",node_id="NodeID-B",validation_id="W",node="b"}': "0.9x30",
      'avax_l1_validator_start_timestamp_seconds{network="n",subnet="S",node_id="NodeID-B",validation_id="W"}':
        "-90000x30",
    },
    why: "the first validation is younger than a day, the uptime of the second suffices",
  },
};
