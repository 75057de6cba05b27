import { BlockchainId, NetworkId, NetworkName, NodeId, NodeIp, NodeVersion, Vms } from "../../api/node/info.ts";
import { OwnRecords } from "../own-records.ts";
import { counter, gauge, gauges, infos } from "../define/metric.ts";
import { optional } from "../define/needs.ts";
import { reducer, topic } from "../define/topic.ts";
import { isOnInternet, someNamed } from "../labels.ts";
import { isPrivateAddress } from "../../api/is-private-address.ts";
import { countChange, NO_CHANGES, SAVED_CHANGES } from "../changes.ts";

export const identity = topic(
  {
    id: "identity",
    about: "What are the ID, network and version of the node?",
    scope: "node",
    needs: {
      id: optional(NodeId),
      version: NodeVersion,
      networkId: optional(NetworkId),
      networkName: optional(NetworkName),
    },
  },
  {
    node: infos(
      "avax_node_info",
      "ID, versions and network of the node; `network` is the label of the network's own series (info.getNodeID, info.getNodeVersion, info.getNetworkID, info.getNetworkName).",
      ["node_id", "version", "git_commit", "database_version", "rpc_protocol", "network_id", "network_name"],
      ({ id, version, networkId, networkName }, { nodeId }) => [
        {
          node_id: id?.nodeID ?? nodeId ?? "",
          version: version.version,
          git_commit: version.gitCommit ?? "",
          database_version: version.databaseVersion ?? "",
          rpc_protocol: version.rpcProtocolVersion ?? "",
          network_id: networkId === undefined ? "" : String(networkId.networkID),
          network_name: networkName?.networkName ?? "",
        },
      ],
    ),
  },
);

export const vms = topic(
  {
    id: "vms",
    about: "Which VMs does the node have, and in which version?",
    scope: "node",
    needs: { vms: Vms, version: NodeVersion },
  },
  {
    vm: infos(
      "avax_vm_info",
      "ID, first alias and version of a VM of the node (info.getVMs, `vms`; info.getNodeVersion, `vmVersions`).",
      ["vm_id", "vm", "version"],
      ({ vms, version }) => {
        // A map, because an alias can be called `constructor`.
        const versions = new Map(Object.entries(version.vmVersions ?? {}));
        return someNamed(vms.vms).map(([id, aliases]) => {
          const name = aliases[0] ?? id;
          return { vm_id: id, vm: name, version: versions.get(name) ?? versions.get(id) ?? "" };
        });
      },
    ),
  },
);

export const publicIp = reducer(
  {
    id: "public-ip",
    about: "Which address does the node advertise, and does it change?",
    scope: "node",
    needs: { ip: NodeIp },
    start: () => NO_CHANGES,
    next: (state, { ip }) => countChange(state, ip.ip),
  },
  {
    ip: infos(
      "avax_node_ip_info",
      "Address that the node advertises to its peers (info.getNodeIP, `ip`).",
      ["ip"],
      ({ ip }) => (ip.ip === "" ? [] : [{ ip: ip.ip }]),
    ),
    private: infos(
      "avax_node_private_ip_info",
      "Address that a node of mainnet or fuji advertises though no other machine on the internet can reach it: private, shared, link-local or local; absent while it advertises a public one (info.getNodeIP, `ip`; info.getNetworkID).",
      ["ip"],
      ({ ip }, context) => (isOnInternet(context) && isPrivateAddress(ip.ip) ? [{ ip: ip.ip }] : []),
    ),
    changes: counter(
      "avax_node_ip_changes_total",
      "Changes of the advertised address since the exporter started (info.getNodeIP, `ip`).",
      ({ state }) => state.count,
    ),
  },
);

/** A replaced node is reported for an hour, so that it is seen. Seconds. */
const REPLACED_FOR = 3600;

export const nodeChanges = reducer(
  {
    id: "node-changes",
    about: "With which BLS key does the node sign, and does another node answer at its address?",
    scope: "node",
    needs: { id: optional(NodeId), record: optional(OwnRecords) },
    start: () => NO_CHANGES,
    next: (state, { id }, { times, time }) => countChange(state, id?.nodeID, times["id"] ?? time),
    saved: SAVED_CHANGES,
  },
  {
    changes: counter(
      "avax_node_id_changes_total",
      "Changes of the node ID at this address; without a state file only those since the exporter started (info.getNodeID, `nodeID`).",
      ({ id, state }) => id && state.count,
    ),
    changed: gauge(
      "avax_node_id_changed_timestamp_seconds",
      "When another node ID was first seen at this address; absent when the earlier one has returned, and without a change; without a state file only one since the exporter started counts (info.getNodeID, `nodeID`).",
      ({ id, state }) => id && state.changedAt,
    ),
    replaced: gauge(
      "avax_node_replaced",
      "1 while another node answers than the configured one or its standby, and for an hour after the node ID at this address has changed to that of no other configured node; absent while it is unknown (header `node-id` of every answer; info.getNodeID, `nodeID`).",
      ({ id, state: { changedAt }, record }, { time }) => {
        const idMatches = record?.idMatches;
        const hasChanged = changedAt !== undefined && time - changedAt < REPLACED_FOR && record?.standsIn !== true;
        if (idMatches === false || hasChanged) return true;
        return idMatches === undefined && id === undefined ? undefined : false;
      },
    ),
    key: infos(
      "avax_node_bls_info",
      "BLS public key of the node (info.getNodeID, `nodePOP.publicKey`).",
      ["public_key"],
      ({ id }) => (id?.nodePOP === undefined ? [] : [{ public_key: id.nodePOP.publicKey }]),
    ),
  },
);

export const chainIds = topic(
  { id: "chain-ids", about: "Which blockchain ID does each alias have?", scope: "node", needs: { ids: BlockchainId } },
  {
    chain: infos(
      "avax_chain_info",
      "Blockchain ID of an alias; absent when the node does not have the alias (info.getBlockchainID, `blockchainID`).",
      ["chain", "blockchain_id"],
      ({ ids }) =>
        [...ids].flatMap(([chain, { blockchainID }]) =>
          blockchainID === undefined ? [] : [{ chain, blockchain_id: blockchainID }],
        ),
    ),
  },
);

export const nodeLabels = topic(
  { id: "node-labels", about: "Which labels does the node have in the configuration?", scope: "node", needs: {} },
  {
    labels: infos(
      "avax_node_labels_info",
      "Custom labels of the node (configuration, `labels` of the node).",
      [],
      (_data, { options: { labels } }) => (Object.keys(labels).length === 0 ? [] : [labels]),
    ),
    configured: gauges(
      "avax_node_configured",
      "1 for each configured node, up or down; `node_id` is the configured ID, else the last one that the node answered with, and absent while neither is known (configuration, `nodes`; info.getNodeID, `nodeID`).",
      ["node_id"],
      (_data, { nodeId }) => [[{ node_id: nodeId ?? "" }, 1]],
    ),
  },
);
