import type { Lang } from "../trace/text.ts";

/** A JSON value, as a scenario file holds it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What the `{{names}}` of a scenario stand for. */
export type Values = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** The names between double braces in a text, in order, repeated ones too. */
export function placeholders(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), (match) => match[1]!);
}

/** Whether double braces remain that hold no name: a slip of the pen. */
export function hasStrayBraces(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ""));
}

/** A text with its `{{names}}` filled in. Names without a value stay as they are; filled in values are not read again. */
export function fillText(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

/** A JSON value with the `{{names}}` of its strings filled in. A string that is nothing but a name becomes the value itself. */
export function fillJson(value: Json, values: Values): Json {
  if (typeof value === "string") {
    const only = /^\{\{(\w+)\}\}$/.exec(value)?.[1];
    return only !== undefined && Object.hasOwn(values, only) ? values[only]! : fillText(value, values);
  }
  return mapChildren(value, (child) => fillJson(child, values));
}

/** A JSON value in one language: each `{es, en}` of two strings becomes the one. */
export function localiseJson(value: Json, lang: Lang): Json {
  if (isLocalised(value)) return value[lang];
  return mapChildren(value, (child) => localiseJson(child, lang));
}

function isLocalised(value: Json): value is { es: string; en: string } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).length === 2 && typeof value.es === "string" && typeof value.en === "string";
}

function mapChildren(value: Json, map: (child: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(map);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, map(child)]));
}
