import { expect, test } from "vitest";
import * as z from "zod";
import { formatPath, problemOf } from "./issue.ts";

const text = z.union([z.string().min(1), z.strictObject({ es: z.string(), en: z.string() })]);

const schema = z.strictObject({
  name: z.string().min(1).optional(),
  long: z.string().max(3).optional(),
  turns: z.int().min(20).max(50).optional(),
  on: z.boolean().optional(),
  list: z.array(z.number()).min(1).max(2).optional(),
  record: z.record(z.string().regex(/^[a-z]+$/), z.number()).optional(),
  text: text.optional(),
  needed: z.strictObject({ text }).optional(),
  json: z.strictObject({ value: z.json() }).optional(),
  one: z.literal(true).optional(),
  several: z.literal([429, "cut"]).optional(),
  mixed: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int(), c: z.int() })]).optional(),
});

function told(json: unknown): [path: string, es: string, en: string] {
  const { path, says } = problemOf(json, schema.safeParse(json).error!.issues[0]!);
  return [formatPath(path), says.es, says.en];
}

test.each<[json: unknown, path: string, es: string, en: string]>([
  [null, "", "debe ser un objeto, y es `null`", "it must be an object, and is `null`"],
  [[], "", "debe ser un objeto, y es una lista", "it must be an object, and is a list"],
  ["x", "", "debe ser un objeto, y es un texto", "it must be an object, and is a string"],
  [{ nme: 1, x: 2 }, "", "aquí no hay ningún campo `nme`, `x`", "there is no field `nme`, `x` here"],
  [{ name: 3 }, "name", "debe ser un texto, y es un número", "it must be a string, and is a number"],
  [{ name: "" }, "name", "no puede quedar vacío", "it must not be empty"],
  [{ long: "four" }, "long", "debe tener como mucho 3 caracteres", "it must have at most 3 characters"],
  [{ turns: "many" }, "turns", "debe ser un número, y es un texto", "it must be a number, and is a string"],
  [{ turns: 20.5 }, "turns", "debe ser un número entero", "it must be a whole number"],
  [{ turns: 3 }, "turns", "debe ser 20 o más", "it must be 20 or more"],
  [{ turns: 51 }, "turns", "debe ser 50 o menos", "it must be 50 or less"],
  [{ on: null }, "on", "debe ser `true` o `false`, y es `null`", "it must be `true` or `false`, and is `null`"],
  [{ list: {} }, "list", "debe ser una lista, y es un objeto", "it must be a list, and is an object"],
  [{ list: [] }, "list", "debe tener al menos 1 elemento", "it must have at least 1 item"],
  [{ list: [1, 2, 3] }, "list", "debe tener como mucho 2 elementos", "it must have at most 2 items"],
  [{ list: [1, "2"] }, "list[1]", "debe ser un número, y es un texto", "it must be a number, and is a string"],
  [{ record: [] }, "record", "debe ser un objeto, y es una lista", "it must be an object, and is a list"],
  [
    { record: { A: 1 } },
    "record.A",
    "no es un nombre que valga: debe tener la forma `^[a-z]+$`",
    "this name will not do: it must be of the form `^[a-z]+$`",
  ],
  [
    { text: [] },
    "text",
    "debe ser un texto o un objeto, y es una lista",
    "it must be a string or an object, and is a list",
  ],
  [{ text: { es: "a" } }, "text.en", "falta; debe ser un texto", "it is missing; it must be a string"],
  [
    { needed: {} },
    "needed.text",
    "falta; debe ser un texto o un objeto",
    "it is missing; it must be a string or an object",
  ],
  [{ json: {} }, "json.value", "falta", "it is missing"],
  [{ one: false }, "one", "debe ser `true`", "it must be `true`"],
  [{ several: 503 }, "several", 'debe ser uno de estos: `429`, `"cut"`', 'it must be one of these: `429`, `"cut"`'],
  [{ mixed: { a: "x" } }, "mixed.a", "debe ser un número, y es un texto", "it must be a number, and is a string"],
])("%j", (json, path, es, en) => {
  expect(told(json)).toEqual([path, es, en]);
});
