import { z } from "zod";
import { configSchema } from "./schema/config-schema.ts";

/**
 * The JSON Schema of the configuration file, for editors.
 * @param keys the keys that `endpoints` and `alerts` accept; any key is accepted when omitted
 */
export function configJsonSchema(
  keys: Readonly<Partial<Record<"endpoints" | "alerts", readonly string[]>>> = {},
): unknown {
  return {
    title: "avax-exporter",
    ...z.toJSONSchema(configSchema, {
      io: "input",
      override: ({ path, jsonSchema }) => {
        const section = (["endpoints", "alerts"] as const).find((name) => path.includes(name));
        const accepted = section === undefined ? undefined : keys[section];
        if (accepted !== undefined && path.at(-1) === "propertyNames") jsonSchema.enum = [...accepted];
      },
    }),
  };
}
