import type { Alerts, Runbook } from "../define/alert.ts";
import { SUBNET_NAME } from "../define/alert-texts.ts";
import { selector } from "../define/selector.ts";
import { NODE_AWAY } from "../define/causes.ts";
import { l1Own } from "../l1/l1-validator.ts";
import { publicIp } from "../node/identity.ts";

const ADDRESS: Pick<Runbook, "confirm" | "commands"> = {
  confirm: "`avax_node_ip_info` of the node; `publicIP` of its node ID in `info.peers` of another node.",
  commands: { "call <node> info.getNodeIP": "`ip` is the address that peers are told to connect to." },
};

const { weight } = l1Own.metrics;

/** What an operator sets or an L1's manager decides, and a mistake in it is seen late. */
export const CHANGED_ALERTS: Alerts = {
  AvaxNodeAddressPrivate: {
    severity: "warning",
    when: { of: publicIp.metrics.private, equals: 1 },
    labels: ["node", "network", "ip"],
    for: "10m",
    explainedBy: [...NODE_AWAY],
    summary: "{{ $labels.node }} advertises the private address {{ $labels.ip }}",
    over: "advertises another address",
    description: "No peer outside its own network can connect to it.",
    meaning:
      "The node has found a private address, or `--public-ip` is wrong. It keeps the connections that it opens itself, but other nodes cannot connect to it: its uptime depends on its own dialing.",
    ...ADDRESS,
    action: "Set `--public-ip` or `--public-ip-resolution-service` and restart the node.",
    falsePositives: "All validators of the network are in one private network.",
  },
  AvaxNodeAddressIpv6: {
    severity: "info",
    // In brackets, with a port; those of the internet begin with 2 or 3.
    when: { of: selector(publicIp.metrics.ip, { ip: "=~.(2|3).+]:.+" }), equals: 1 },
    labels: ["node", "network", "ip"],
    for: "10m",
    explainedBy: [...NODE_AWAY],
    summary: "{{ $labels.node }} advertises an IPv6 address alone",
    over: "advertises another address",
    description: "Peers without IPv6 cannot connect to {{ $labels.ip }}.",
    meaning:
      "Most nodes of the public networks have IPv4 alone: they cannot connect to this one. It keeps the connections that it opens itself.",
    ...ADDRESS,
    action: "Give the machine an IPv4 address, set `--public-ip` to it and restart the node.",
    falsePositives: "All nodes of the network have IPv6.",
  },
  AvaxNodeAddressChanged: {
    severity: "warning",
    when: { promql: ({ series }) => `max without (instance)(increase(${series(publicIp.metrics.changes)}[1h])) > 0` },
    explainedBy: [...NODE_AWAY],
    summary: "{{ $labels.node }} has another advertised address than an hour ago",
    over: "has had one advertised address for an hour",
    meaning:
      "The public address of the machine changed, or its configuration did. Firewall rules and allow lists can still have the old one.",
    ...ADDRESS,
    action: "Check that its TCP port 9651 is open from outside. Use a static address.",
    falsePositives: "You moved the node on purpose.",
  },
  AvaxL1WeightChanged: {
    severity: "warning",
    when: { promql: ({ series }) => `max without (instance)(changes(${series(weight)}[1h])) > 0` },
    labels: ["network", "subnet", "node_id", "validation_id"],
    summary: `{{ or $labels.name $labels.node_id }}: weight in ${SUBNET_NAME} has changed`,
    over: "has had one weight for an hour",
    description: "Its validation is {{ $labels.validation_id }}.",
    meaning:
      "The validator manager of the L1 set another weight. It decides how much the validator's votes and signatures count, and often what it earns.",
    confirm: "`avax_l1_own_weight` and `avax_l1_validator_min_nonce` over the last hours.",
    commands: {
      [`call <any-node> platform.getL1Validator '{"validationID": "<validation_id>"}'`]:
        "`weight` and `minNonce`, which counts the changes.",
    },
    action: "Not expected: ask the L1's manager. A weight of 0 ends the validation.",
    falsePositives: "The L1 changes weights by itself, as one with delegations does: silence the alert for it.",
  },
};
