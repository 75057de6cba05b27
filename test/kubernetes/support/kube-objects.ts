export type KubeObject = {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
};
type PodSpec = {
  readonly containers: ReadonlyArray<{ readonly args: readonly string[] }>;
  readonly volumes: readonly object[];
};
export type Workload = KubeObject & {
  readonly spec: {
    readonly volumeClaimTemplates?: readonly KubeObject[];
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
};

export type Selector = { readonly matchLabels?: Readonly<Record<string, string>> };
export type Selecting = KubeObject & {
  readonly spec: { readonly selector?: Selector | Readonly<Record<string, string>>; readonly podSelector?: Selector };
};
type Named = { readonly name: string };
export type Projected = {
  readonly projected: { readonly sources: ReadonlyArray<{ readonly configMap?: Named; readonly secret?: Named }> };
};

/** The pod that a controller would make of a template, with the claims of a StatefulSet. */
export const podOf = ({ spec }: Workload, name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: spec.template.metadata.labels },
  spec: {
    ...spec.template.spec,
    volumes: [
      ...spec.template.spec.volumes,
      ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({
        name: metadata.name,
        persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
      })),
    ],
  },
});
