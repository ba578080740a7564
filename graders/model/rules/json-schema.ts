import { isRecord } from "../../trace/json.ts";

const TYPES: readonly unknown[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];
const LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const TEXTS = ["$ref", "description", "pattern", "title"];
const NUMBERS = ["maximum", "minimum", "maxItems", "maxLength", "minItems", "minLength"];

/**
 * Whether a value is certainly no JSON Schema of draft 2020-12. Looks at the keywords that people get wrong, and lets pass
 * whatever an older draft allowed. Walks with a list of its own: a schema may be nested deeper than the stack.
 */
export function isNoSchema(schema: unknown): boolean {
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "boolean") continue;
    if (!isRecord(next) || !keywordsFit(next)) return true;
    for (const key of Object.keys(next)) {
      const value = next[key];
      if (ONE.includes(key)) {
        // A list of `items` is what older drafts had.
        if (!Array.isArray(value)) open.push(value);
      } else if (LIST.includes(key)) for (const child of value as unknown[]) open.push(child);
      else if (NAMED.includes(key)) for (const name of Object.keys(value as object)) open.push((value as never)[name]);
    }
  }
  return false;
}

function keywordsFit(schema: Record<string, unknown>): boolean {
  return Object.keys(schema).every((key) => {
    const value = schema[key];
    if (key === "type") return Array.isArray(value) ? value.every((one) => TYPES.includes(one)) : TYPES.includes(value);
    if (key === "required") return Array.isArray(value) && value.every((name) => typeof name === "string");
    if (key === "enum" || LIST.includes(key)) return Array.isArray(value);
    if (NAMED.includes(key)) return isRecord(value);
    if (TEXTS.includes(key)) return typeof value === "string";
    if (NUMBERS.includes(key)) return typeof value === "number";
    return true;
  });
}
