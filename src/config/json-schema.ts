import { z } from "zod";
import { configSchema } from "./schema/config-schema.ts";

/**
 * The JSON Schema of the configuration file, for editors.
 * @param endpointIds the keys that `endpoints` accepts; any key is accepted when omitted
 */
export function configJsonSchema(endpointIds?: readonly string[]): unknown {
  const schema = configSchema();
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
