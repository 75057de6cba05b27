/**
 * Whether the process runs in a container, by the marks of Docker, Podman, systemd-nspawn and Kubernetes. The control group of
 * process 1 is not a mark: under cgroup v2 it is `/` in a container too. `exists` tests for a file.
 */
export function inContainer(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  return isSet("container") || isSet("KUBERNETES_SERVICE_HOST") || ["/.dockerenv", "/run/.containerenv"].some(exists);
}
