import type { AlertCases } from "./case.ts";

export const L1_CASES: AlertCases = {
  AvaxL1RunwayShort: {
    at: "12m",
    fires: {
      'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "259200x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "1x20",
    },
    labels: { network: "n", subnet: "S", node_id: "NodeID-A", validation_id: "V" },
    silent: {
      'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "2592000x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "1x20",
    },
    why: "the balance lasts thirty days",
  },
  AvaxL1RunwayCritical: {
    at: "7m",
    fires: {
      'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "570x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "1x20",
    },
    labels: { network: "n", subnet: "S", node_id: "NodeID-A", validation_id: "V" },
    silent: {
      'avax_l1_validator_runway_seconds{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "864000x20",
      'avax_l1_validator_active{network="n",subnet="S",node_id="NodeID-A",validation_id="V"}': "1x20",
    },
    why: "the balance lasts ten days",
  },
};
