/** What the API allows on one model, as far as it is known. */
interface Model {
  /** Whether a request may end on an assistant message. Models from 4.6 on do not allow it. */
  prefill: boolean;
  /** Most tokens of one reply; null where no page says. */
  maxOutput: number | null;
  /** Whether `tool_choice` may force a tool. */
  forcedTool: boolean;
  /** `manual`: `thinking.type` may be `enabled`, with a budget. `always`: thinking cannot be switched off. `unknown`: no page says. */
  thinking: "manual" | "adaptive" | "always" | "unknown";
}

const old: Model = { prefill: true, maxOutput: 64_000, forcedTool: true, thinking: "manual" };
const manual: Model = { ...old, prefill: false, maxOutput: 128_000 };
const adaptive: Model = { ...manual, thinking: "adaptive" };
const always: Model = { ...manual, thinking: "always" };

/** The models the API knows, as SDK 1.14.0 lists them; any other is answered 404. The rest is by the pages about each. */
const MODELS: Readonly<Record<string, Model>> = {
  "claude-fable-5-2": always,
  "claude-mythos-5-2": { ...always, maxOutput: null },
  "claude-haiku-5-5": { ...adaptive, maxOutput: null },
  "claude-sonnet-5-5": adaptive,
  "claude-fable-5-1": { ...always, maxOutput: null, forcedTool: false },
  "claude-opus-5-5": { ...always, forcedTool: false },
  "claude-mythos-5-1": { ...always, maxOutput: null, forcedTool: false },
  "claude-sonnet-5": adaptive,
  "claude-fable-5": { ...always, maxOutput: null },
  "claude-mythos-5": { ...always, maxOutput: null },
  "claude-opus-5": { ...adaptive, maxOutput: null },
  "claude-opus-4-8": adaptive,
  "claude-opus-4-7": adaptive,
  "claude-mythos-preview": { ...adaptive, maxOutput: null, thinking: "unknown" },
  "claude-opus-4-6": manual,
  "claude-sonnet-4-6": manual,
  "claude-haiku-4-5": old,
  "claude-haiku-4-5-20251001": old,
  "claude-opus-4-5": old,
  "claude-opus-4-5-20251101": old,
  "claude-sonnet-4-5": old,
  "claude-sonnet-4-5-20250929": old,
};

/** Every model id the API knows. */
export const MODEL_IDS: readonly string[] = Object.keys(MODELS);

/** What is known of a model; null for an id the API does not know, and for anything that is no id. */
export function modelOf(id: unknown): Readonly<Model> | null {
  return typeof id === "string" && Object.hasOwn(MODELS, id) ? MODELS[id]! : null;
}

export function isKnownModel(id: string): boolean {
  return modelOf(id) !== null;
}

/** Whether a request to this model may end on an assistant message. */
export function allowsPrefill(id: string): boolean {
  return modelOf(id)?.prefill ?? false;
}
