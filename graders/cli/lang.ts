import { LANGS, type Lang } from "../trace/text.ts";

/**
 * The language to speak: `--lang`, else `BUCLE_LANG`, else the locale's, else Spanish.
 * Read before anything else, because errors in the other arguments have to be told in it.
 */
export function detectLang(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Lang {
  const flag = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const given = flag === -1 ? undefined : (args[flag]?.split("=")[1] ?? args[flag + 1]);
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale;
  for (const wish of [given, env.BUCLE_LANG, locale]) {
    const lang = LANGS.find((each) => wish?.toLowerCase().startsWith(each));
    if (lang) return lang;
  }
  return "es";
}
