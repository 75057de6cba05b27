import type { AlertCases } from "./case.ts";

const RUNWAY = 'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';
const ACTIVE = 'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}';

export const L1_CASES: AlertCases = {
  AvaxL1ValidatorOffline: {
    at: "12m",
    fires: { 'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x20" },
    labels: { network: "n", subnet: "S", node_id: "NodeID-A" },
    silent: {
      'avax_l1_validator_offline{network="n",subnet="S",node_id="NodeID-A"}': "1x20",
      'avax_node_up{node="a",network="n"}': "1x5 0 1x20",
      'avax_node_configured{node="a",network="n",node_id="NodeID-A"}': "1x30",
    },
    why: "it was restarted within the last ten minutes",
  },
  AvaxL1ValidatorsOffline: {
    at: "32m",
    fires: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x40" },
    labels: { network: "n", subnet: "S" },
    silent: { 'avax_l1_offline_validators{network="n",subnet="S"}': "2x20 0x20" },
    why: "they are back",
  },
  AvaxL1RunwayShort: {
    at: "12m",
    fires: { [RUNWAY]: "259200x20", [ACTIVE]: "1x20" },
    labels: { network: "n", subnet: "S", node_id: "NodeID-A", validation_id: "V" },
    silent: { [RUNWAY]: "2592000x20", [ACTIVE]: "1x20" },
    why: "the balance lasts thirty days",
  },
  AvaxL1RunwayCritical: {
    at: "7m",
    fires: { [RUNWAY]: "570x20", [ACTIVE]: "1x20" },
    labels: { network: "n", subnet: "S", node_id: "NodeID-A", validation_id: "V" },
    silent: { [RUNWAY]: "864000x20", [ACTIVE]: "1x20" },
    why: "the balance lasts ten days",
  },
};
