/**
 * Whether the process runs in a container, by the marks that Docker, Podman, systemd-nspawn and Kubernetes leave. The control
 * group of process 1 is no such mark: under cgroup v2 it is `/` in a container too. `exists` looks for a file.
 */
export function inContainer(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  return isSet("container") || isSet("KUBERNETES_SERVICE_HOST") || ["/.dockerenv", "/run/.containerenv"].some(exists);
}
