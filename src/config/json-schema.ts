import { z } from "zod";
import { configSchema } from "./schema/config-schema.ts";

/**
 * The JSON Schema of the configuration file, for editors.
 * @param endpointIds the only keys that `endpoints` may have; any when left out
 */
export function configJsonSchema(endpointIds?: readonly string[]): unknown {
  // No checksum is computed while a schema is printed.
  const schema = configSchema(() => new Uint8Array(0));
  return {
    title: "avax-exporter",
    ...z.toJSONSchema(schema, {
      io: "input",
      override: ({ path, jsonSchema }) => {
        if (endpointIds === undefined || path.at(-1) !== "propertyNames" || !path.includes("endpoints")) return;
        jsonSchema.enum = [...endpointIds];
      },
    }),
  };
}
