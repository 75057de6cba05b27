import { z } from "zod";
import type { Callable } from "../../api/node/methods.ts";
import { didYouMean } from "../../config/base/error-texts.ts";
import { parseJson, type Reviver } from "../../config/base/parse-json.ts";

/** Parameters of a call: their description from the schema of a method, and the check of given ones. */

/** The part of a JSON Schema that parameters use. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema | false;
  readonly anyOf?: readonly Schema[];
};

export type Parameter = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
};

/** `object`: named parameters; `wrapped`: one object in an array; `list`: parameters by position. */
type ParamsShape = {
  readonly form: "object" | "wrapped" | "list";
  readonly parameters: readonly Parameter[];
  /** Whether other parameters are allowed. */
  readonly open: boolean;
};

/** The parameters of a method. */
export function shapeOf({ params }: Pick<Callable, "params">): ParamsShape {
  const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" }) as Schema;
  if (schema.type !== "array")
    return { form: "object", parameters: named(schema), open: schema.properties === undefined };
  const [only, ...others] = schema.prefixItems ?? [];
  if (only?.properties !== undefined && others.length === 0)
    return { form: "wrapped", parameters: named(only), open: false };
  const parameters = (schema.prefixItems ?? []).map((item, index) => parameter(String(index + 1), item, true));
  return { form: "list", parameters, open: schema.prefixItems === undefined };
}

function named({ properties = {}, required = [] }: Schema): readonly Parameter[] {
  return Object.entries(properties).map(([name, schema]) => parameter(name, schema, required.includes(name)));
}

function parameter(name: string, schema: Schema, required: boolean): Parameter {
  return { name, type: typeOf(schema), required, description: schema.description ?? "" };
}

function typeOf({ type, enum: values, items, anyOf, properties }: Schema): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (properties !== undefined) return `{${Object.keys(properties).join(", ")}}`;
  if (type === "array") return items === undefined || items === false ? "list" : `list of ${typeOf(items)}`;
  return typeof type === "string" ? type : (type?.join(" or ") ?? "any");
}

/** The parameters of a call as they are sent; without a text the empty ones. */
export function readParams(
  method: Callable,
  text: string | undefined,
  reviver?: Reviver,
): { readonly params: unknown } | { readonly problem: string } {
  const shape = shapeOf(method);
  const given = text === undefined ? { value: shape.form === "list" ? [] : {} } : parseJson(text, reviver);
  if (given === undefined) return { problem: `invalid JSON in the parameters: ${(text ?? "").slice(0, 80)}` };
  const params = fitted(shape, given.value);
  const unknown = unknownIn(shape, params);
  if (unknown !== undefined) {
    const names = shape.parameters.map(({ name }) => name);
    return { problem: `${method.name} has no parameter ${JSON.stringify(unknown)}${didYouMean(unknown, names)}` };
  }
  const checked = method.params.safeParse(params);
  if (checked.success) return { params };
  const problems = checked.error.issues.map(({ path, message }) => {
    const place = path.filter((_part, index) => shape.form !== "wrapped" || index > 0).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return { problem: `invalid parameters of ${method.name}: ${problems.slice(0, 5).join("; ")}` };
}

/** Adds or removes the array around a single object: both spellings are accepted. */
function fitted({ form, parameters, open }: ParamsShape, value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  if (form === "list" && !open && parameters.length === 0 && isEmpty) return [];
  if (form === "wrapped") return Array.isArray(value) ? (value.length === 0 ? [{}] : value) : [value];
  return form === "object" && Array.isArray(value) && value.length < 2 ? (value[0] ?? {}) : value;
}

/** The first unknown parameter: servers ignore it silently, which hides the mistake. */
function unknownIn({ form, parameters, open }: ParamsShape, params: unknown): string | undefined {
  const object: unknown = form === "wrapped" && Array.isArray(params) ? params[0] : params;
  if (open || form === "list" || typeof object !== "object" || object === null) return undefined;
  return Object.keys(object).find((key) => !parameters.some(({ name }) => name === key));
}
