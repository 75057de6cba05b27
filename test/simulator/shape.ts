/** JSON types by path. All elements of a list have one path, and so have all keys that are IDs or numbers. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>;

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const keyName = (key: string): string =>
  /^[1-9A-HJ-NP-Za-km-z]{43,51}$/.test(key) ? "<id>" : /^\d+$/.test(key) ? "<number>" : key;

/** The shape of a value, lists as the union of their elements. */
export function shape(value: unknown): Shape {
  const found = new Map<string, Set<string>>();
  const walk = (item: unknown, path: string): void => {
    const types = found.get(path) ?? new Set<string>();
    found.set(path, types.add(typeOf(item)));
    if (Array.isArray(item))
      item.forEach((element: unknown) => {
        walk(element, `${path}[]`);
      });
    else if (typeof item === "object" && item !== null) {
      for (const [key, field] of Object.entries(item))
        walk(field, path === "" ? keyName(key) : `${path}.${keyName(key)}`);
    }
  };
  walk(value, "");
  return found;
}

/** Differences as lines: paths on one side only, and paths with other types. */
export function differences(recorded: Shape, simulated: Shape): string[] {
  const paths = new Set([...recorded.keys(), ...simulated.keys()]);
  return [...paths].sort().flatMap((path) => {
    const [real, made] = [recorded.get(path), simulated.get(path)];
    if (real === undefined) return [`+ ${path}`];
    if (made === undefined) return [`- ${path}`];
    const left = [...real].sort().join("|");
    const right = [...made].sort().join("|");
    return left === right ? [] : [`~ ${path}: ${left} recorded, ${right} simulated`];
  });
}
