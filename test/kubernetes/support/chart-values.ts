type Values = Readonly<Record<string, unknown>>;

const NODE = { name: "my-validator", url: "http://avalanchego-0.avalanchego.default.svc:9650", network: "mainnet" };
const SECURED = { ...NODE, basic_auth: { username: "monitoring", password_file: "node-password" } };
const ON = { enabled: true };

/** Every part of the chart switched on. */
const EVERYTHING: Values = {
  image: { repository: "registry.example.org:5000/monitoring/avax-exporter", digest: `sha256:${"0".repeat(64)}` },
  imagePullSecrets: [{ name: "registry" }],
  config: {
    nodes: [SECURED, { ...NODE, name: "other", url: "https://node.example.org", bearer_token_file: "token" }],
    data_api: { url: "https://data-api.avax.network", budget: { per_minute: 6_000, per_day: 1_200_000 } },
    evm: { c_chain_id: 43_114 },
  },
  secrets: { existing: ["more-files"], create: { "node-password": 'pass"word: {{ x }}\n' } },
  env: [{ name: "REGION", value: "eu" }],
  envFrom: [{ secretRef: { name: "environment" } }],
  web: {
    externalUrl: "https://avax.example.org",
    config: { basic_auth_users: { prometheus: "$2b$10$abcdefghijklmnopqrstuuu3kQ3yqvxRLt2ZxvFSbqwVyZJfqVd1K" } },
  },
  extraArgs: ["--log.format=json", "--web.badges=protected"],
  storage: { enabled: true, size: "1Gi", storageClass: "fast" },
  nodeSelector: { "kubernetes.io/arch": "amd64" },
  tolerations: [{ key: "monitoring", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "avalanchego" } } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
  ],
  priorityClassName: "system-cluster-critical",
  annotations: { "example.org/note": "yes" },
  podLabels: { team: "validators" },
  podAnnotations: { "example.org/note": "yes" },
  hostAliases: [{ ip: "10.0.0.7", hostnames: ["avalanchego"] }],
  extraVolumes: [{ name: "authority", configMap: { name: "authority" } }],
  extraVolumeMounts: [{ name: "authority", mountPath: "/etc/ssl/own", readOnly: true }],
  livenessProbe: { tcpSocket: { port: 9750 }, periodSeconds: 20 },
  readinessProbe: { failureThreshold: 5 },
  service: { port: 80, annotations: { "example.org/note": "yes" } },
  serviceAccount: { name: "exporter", annotations: { "example.org/note": "yes" } },
  serviceMonitor: {
    ...ON,
    labels: { release: "prometheus" },
    job: "avax-mainnet",
    relabelings: [{ action: "labeldrop", regex: "endpoint" }],
    metricRelabelings: [{ sourceLabels: ["__name__"], regex: "nodejs_.*", action: "drop" }],
    endpoint: { basicAuth: { username: { name: "login", key: "user" }, password: { name: "login", key: "password" } } },
  },
  nodeMetrics: { ...ON, labels: { release: "prometheus" }, keepAll: true, discovery: { refreshInterval: "30s" } },
  prometheusRule: { ...ON, labels: { release: "prometheus" } },
  dashboards: { ...ON, labels: { grafana_dashboard: "1" }, annotations: { grafana_folder: "Avalanche" } },
  networkPolicy: {
    ...ON,
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
    egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 9650, protocol: "TCP" }] }],
  },
  podDisruptionBudget: ON,
  fullnameOverride: "everything",
};

/** Values that a user can give the chart, by what they show. */
export const CHART_VALUES: Readonly<Record<string, Values>> = {
  smallest: { config: { nodes: [NODE] } },
  "as text": { configFile: "# a comment\nnodes:\n  - { name: a, url: http://10.0.0.1:9650 }\n" },
  "three shards": { config: { nodes: [NODE] }, shards: 3 },
  everything: EVERYTHING,
  "everything, three shards": { ...EVERYTHING, shards: 3 },
  "IDs that OpenShift assigns": {
    config: { nodes: [NODE] },
    podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null },
  },
  "a claim that exists": { config: { nodes: [NODE] }, storage: { enabled: true, existingClaim: "state" } },
  nothing: { config: { nodes: [NODE] }, resources: {}, serviceAccount: { create: false } },
};

/** Values that the chart rejects, with what Helm reports. */
export const REJECTED_VALUES: ReadonlyArray<readonly [values: Values, words: string]> = [
  [{}, "config.nodes is empty: set the nodes in your values"],
  [{ config: { nods: [] } }, "at '/config': additional properties 'nods' not allowed"],
  [{ config: { nodes: [{ nme: "a" }] } }, "at '/config/nodes/0': additional properties 'nme' not allowed"],
  [{ config: { nodes: [NODE] }, shards: 0 }, "at '/shards': minimum: got 0, want 1"],
  [{ config: { nodes: [NODE] }, shards: "3" }, "at '/shards': got string, want integer"],
  [{ config: { nodes: [NODE] }, replicas: 2 }, "additional properties 'replicas' not allowed"],
  [{ config: { nodes: [NODE] }, image: { tag: "a b" } }, "at '/image/tag'"],
  [{ config: { nodes: [NODE] }, image: { repository: "avax-exporter:1" } }, "at '/image/repository'"],
  [{ config: { nodes: [NODE] }, web: { externalUrl: "avax.example.org" } }, "at '/web/externalUrl'"],
  [
    { config: { nodes: [NODE] }, secrets: { create: { "a/b": "x" } } },
    "at '/secrets/create': additional properties 'a/b' not allowed",
  ],
  [
    { config: { nodes: [NODE], endpoints: { "info.pears": { every: "1m" } } } },
    "at '/config/endpoints': additional properties 'info.pears' not allowed",
  ],
  [
    { config: { nodes: [NODE] }, secrets: { create: { "config.yaml": "x" } } },
    "secrets.create: config.yaml is a file of the chart: choose another name",
  ],
  [{ config: { nodes: [NODE] }, configFile: "nodes: []" }, "config and configFile are both set: set one of them"],
  [
    { config: { nodes: [{ name: "a", url: "http://10.0.0.1:9650" }] }, shards: 3 },
    "config.nodes: a has no network: set it for every node when shards is more than 1",
  ],
];
