import { isRecord } from "../../trace/json.ts";
import { member } from "../history.ts";
import { modelOf } from "../models.ts";
import { isNoSchema } from "./json-schema.ts";
import { invalid, type Rejection, type Request, type Rule } from "./rule.ts";

// What a request offers the model, before what it says.

/** S2 of tools: they are a list, and each is an object. */
export const toolsAreList: Rule = {
  id: "S2/tools",
  ofCounts: true,
  check: ({ body: { tools } }) => {
    if (tools === undefined || tools === null) return null;
    if (!Array.isArray(tools)) return invalid("tools: Input should be a valid list");
    const i = tools.findIndex((tool) => !isRecord(tool));
    return i === -1 ? null : invalid(`tools.${i}: Input should be a valid dictionary`);
  },
};

/** S9 of tools: `function` is the kind that another API calls a tool. */
export const toolKindExists: Rule = {
  id: "S9/tools",
  ofCounts: true,
  check: ({ body: { tools } }) => {
    const i = Array.isArray(tools) ? tools.findIndex((tool) => member(tool, "type") === "function") : -1;
    return i === -1
      ? null
      : invalid(`tools.${i}: Input tag 'function' found using 'type' does not match any of the expected tags`);
  },
};

/** S13: a tool has a name and an `input_schema`. */
export const toolIsComplete: Rule = {
  id: "S13",
  ofCounts: true,
  check: (request) =>
    firstTool(request, (tool, path) => {
      const missing = ["name", "input_schema"].find((field) => !Object.hasOwn(tool, field));
      if (missing !== undefined) return invalid(`${path}.${missing}: Field required`);
      return typeof tool.name === "string" ? null : invalid(`${path}.name: Input should be a valid string`);
    }),
};

/** S10: what a tool's name may hold. */
export const toolNameFits: Rule = {
  id: "S10",
  ofCounts: true,
  check: (request) =>
    firstTool(request, (tool, path) =>
      typeof tool.name === "string" && !/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name)
        ? invalid(`${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
        : null,
    ),
};

/** S12: its schema is a JSON Schema. */
export const schemaIsSchema: Rule = {
  id: "S12",
  ofCounts: true,
  check: (request) =>
    firstTool(request, ({ input_schema }, path) => {
      if (!isRecord(input_schema)) return invalid(`${path}.input_schema: Input should be a valid dictionary`);
      if (!isNoSchema(input_schema)) return null;
      return invalid(
        `${path}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). ` +
          "Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
      );
    }),
};

/** S15: and at its top it is no choice among others. */
export const schemaIsNoChoice: Rule = {
  id: "S15",
  ofCounts: true,
  check: (request) =>
    firstTool(request, ({ input_schema }, path) =>
      ["oneOf", "allOf", "anyOf"].some((key) => member(input_schema, key) !== undefined)
        ? invalid(`${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`)
        : null,
    ),
};

/** S11: no name twice. */
export const toolNamesUnique: Rule = {
  id: "S11",
  ofCounts: true,
  check: ({ body: { tools } }) => {
    const names = (Array.isArray(tools) ? tools : [])
      .map((tool) => member(tool, "name"))
      .filter((name) => typeof name === "string");
    return new Set(names).size === names.length ? null : invalid("tools: Tool names must be unique.");
  },
};

/** S17: some models cannot be made to use a tool. */
export const toolNotForced: Rule = {
  id: "S17",
  check: ({ body: { model, tool_choice } }) => {
    const type = member(tool_choice, "type");
    if ((type !== "tool" && type !== "any") || (modelOf(model)?.forcedTool ?? true)) return null;
    return invalid('tool_choice: type "tool" and "any" are not supported for this model.');
  },
};

/** The first rejection that `check` gives for a tool of the host's own; those that the API runs have kinds of their own. */
export function firstTool(
  { body: { tools } }: Request,
  check: (tool: Record<string, unknown>, path: string) => Rejection | null,
): Rejection | null {
  for (const [i, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isRecord(tool) || (Object.hasOwn(tool, "type") && tool.type !== "custom" && tool.type !== null)) continue;
    const rejection = check(tool, `tools.${i}.custom`);
    if (rejection) return rejection;
  }
  return null;
}
