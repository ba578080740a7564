/** The languages every text a person reads exists in. */
export type Lang = "es" | "en";

export const LANGS: readonly Lang[] = ["es", "en"];

/** A text a person reads, in every language. A missing translation does not compile. */
export type Text = Readonly<Record<Lang, string>>;
