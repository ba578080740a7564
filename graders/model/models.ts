/**
 * The models the API knows, as SDK 1.14.0 lists them; any other is answered 404.
 * `prefill`: whether a request may end on an assistant message. Models from 4.6 on do not allow it.
 */
const MODELS: Readonly<Record<string, { prefill: boolean }>> = {
  "claude-fable-5-2": { prefill: false },
  "claude-mythos-5-2": { prefill: false },
  "claude-haiku-5-5": { prefill: false },
  "claude-sonnet-5-5": { prefill: false },
  "claude-fable-5-1": { prefill: false },
  "claude-opus-5-5": { prefill: false },
  "claude-mythos-5-1": { prefill: false },
  "claude-sonnet-5": { prefill: false },
  "claude-fable-5": { prefill: false },
  "claude-mythos-5": { prefill: false },
  "claude-opus-5": { prefill: false },
  "claude-opus-4-8": { prefill: false },
  "claude-opus-4-7": { prefill: false },
  "claude-mythos-preview": { prefill: false },
  "claude-opus-4-6": { prefill: false },
  "claude-sonnet-4-6": { prefill: false },
  "claude-haiku-4-5": { prefill: true },
  "claude-haiku-4-5-20251001": { prefill: true },
  "claude-opus-4-5": { prefill: true },
  "claude-opus-4-5-20251101": { prefill: true },
  "claude-sonnet-4-5": { prefill: true },
  "claude-sonnet-4-5-20250929": { prefill: true },
};

/** Every model id the API knows. */
export const MODEL_IDS: readonly string[] = Object.keys(MODELS);

export function isKnownModel(id: string): boolean {
  return Object.hasOwn(MODELS, id);
}

/** Whether a request to this model may end on an assistant message. */
export function allowsPrefill(id: string): boolean {
  return isKnownModel(id) && MODELS[id]!.prefill;
}
