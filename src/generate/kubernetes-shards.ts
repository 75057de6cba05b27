import { stringify } from "yaml";

/** The manifests of several exporters that share the nodes: a StatefulSet, whose pods know their numbers. */

const NAME = "avax-exporter";
const LABELS = { "app.kubernetes.io/name": NAME } as const;
/** Pods, and parts of the fleet: one number for both, because each part needs a pod. */
const SHARDS = 3;

const HEAD = "# Generated from src/generate/kubernetes-shards.ts; change that and run `vitest -u`.\n";

type Manifest = { readonly about: string; readonly value: object };

const CONFIG = `nodes:
  - name: my-validator
    url: http://avalanchego-0.avalanchego.default.svc:9650
    network: mainnet # every node names its network: shards do not ask each other's nodes
`;

const MANIFESTS: readonly Manifest[] = [
  {
    about: "The configuration of all: each pod takes its part of the nodes by itself.",
    value: { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(), data: { "config.yaml": CONFIG } },
  },
  {
    about: "An account without any right.",
    value: { apiVersion: "v1", kind: "ServiceAccount", metadata: metadata(), automountServiceAccountToken: false },
  },
  {
    about: "Gives each pod a name of its own; /sd and /probe are answered alike by all of them.",
    value: {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata(),
      spec: { clusterIP: "None", selector: LABELS, ports: [{ name: "metrics", port: 9750, targetPort: "metrics" }] },
    },
  },
  {
    about: "replicas and --shard.total are the same number: to change it change both at once.",
    value: statefulSet(),
  },
];

function metadata() {
  return { name: NAME, labels: LABELS };
}

function statefulSet() {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: metadata(),
    spec: {
      serviceName: NAME,
      replicas: SHARDS,
      // A pod that does not start must not keep the others from theirs.
      podManagementPolicy: "Parallel",
      selector: { matchLabels: LABELS },
      template: { metadata: { labels: LABELS }, spec: podSpec() },
    },
  };
}

function podSpec() {
  return {
    serviceAccountName: NAME,
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: NAME,
        image: `${NAME}:0.1.0`,
        args: [
          "--config.file=/etc/avax-exporter/config.yaml",
          // The number at the end of the pod's name.
          "--shard.index=auto",
          `--shard.total=${SHARDS}`,
        ],
        ports: [{ name: "metrics", containerPort: 9750 }],
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        livenessProbe: {
          httpGet: { path: "/-/healthy", port: "metrics" },
          initialDelaySeconds: 5,
          timeoutSeconds: 5,
        },
        readinessProbe: { httpGet: { path: "/-/ready", port: "metrics" }, timeoutSeconds: 5 },
        resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
        volumeMounts: [{ name: "config", mountPath: "/etc/avax-exporter", readOnly: true }],
      },
    ],
    volumes: [{ name: "config", configMap: { name: NAME } }],
  };
}

/** ConfigMap, account, service and StatefulSet. */
export function shardedExporter(): string {
  return HEAD + INSTEAD + documents(MANIFESTS);
}

const INSTEAD =
  "# Instead of ../exporter.yaml, for a fleet that one process does not hold: kubectl apply --server-side -n monitoring -f sharded/.\n";

/** What the Prometheus operator scrapes: each pod under its own name, which stays when the pod gets another address. */
export function shardedServiceMonitor(): string {
  const value = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: metadata(),
    spec: {
      selector: { matchLabels: LABELS },
      endpoints: [
        {
          port: "metrics",
          interval: "15s",
          scrapeTimeout: "10s",
          relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_name"], targetLabel: "instance" }],
        },
      ],
    },
  };
  return HEAD + documents([{ about: "For the Prometheus operator, instead of ../servicemonitor.yaml.", value }]);
}

function documents(manifests: readonly Manifest[]): string {
  return manifests
    .map(({ about, value }) => `# ${about}\n${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`)
    .join("---\n");
}
