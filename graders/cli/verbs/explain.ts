import { diagnoses } from "../../diagnoses/catalog/catalog.ts";
import { type Page, readPage } from "../../diagnoses/catalog/pages.ts";
import { toList } from "../../reports/terminal/list.ts";
import type { Diagnosis } from "../../trace/diagnosis.ts";
import type { Text } from "../../trace/text.ts";
import { checkLang, type Kit, look, openKitCourse, UsageError } from "../kit.ts";
import { nearest } from "../nearest.ts";
import type { Verb } from "../verb.ts";

const explain: Verb = {
  name: "explain",
  order: 40,
  summary: {
    es: "un error típico, con lo que está mal y lo que está bien",
    en: "a common mistake: what is wrong, and what is right",
  },
  argument: {
    syntax: "[id]",
    text: { es: "el id de un diagnóstico (si no: la lista)", en: "a diagnosis' id (else: the list of them)" },
  },
  run: async (kit, [id], options) => {
    checkLang(options);
    const pages = allPages(kit);
    const drawn = { lang: kit.lang, ...look(options) };
    if (id === undefined) {
      process.stdout.write(`${toList(HEADING[kit.lang], groups(kit, pages), drawn)}\n`);
      return 0;
    }
    const ids = pages.map(({ diagnosis }) => diagnosis.id);
    const found = pages[ids.indexOf(id)];
    if (found === undefined) throw new UsageError(unknown(id, nearest(id, ids)));
    // Reading Markdown takes a while to load: only a page needs it.
    const { markdownToTerminal } = await import("../../reports/terminal/markdown.ts");
    process.stdout.write(`${markdownToTerminal(found.page.text + practice(kit, found.diagnosis), drawn)}\n`);
    return 0;
  },
};

export default explain;

interface Explained {
  diagnosis: Diagnosis;
  page: Page;
}

/** Root causes first, as the catalog has them. */
function allPages({ root, lang }: Kit): Explained[] {
  return diagnoses.flatMap((diagnosis) => {
    const page = readPage(root, diagnosis.id, lang);
    return page === null ? [] : [{ diagnosis, page }];
  });
}

/** By the lesson whose exercise teaches them. */
function groups({ lang }: Kit, pages: readonly Explained[]) {
  const lessons = new Map<string, [string, string][]>();
  for (const { diagnosis, page } of pages) {
    const lesson = diagnosis.exercise.split(".")[0]!;
    lessons.set(lesson, [...(lessons.get(lesson) ?? []), [diagnosis.id, page.title]]);
  }
  return [...lessons]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([lesson, entries]) => ({ title: LESSON(lesson)[lang], entries }));
}

/** Where it can be practised; nothing while that exercise is still to come. */
function practice(kit: Kit, { exercise: id }: Diagnosis): string {
  const exercise = openKitCourse(kit).exercises.find((each) => each.id === id);
  return exercise === undefined ? "" : `\n${PRACTISE(id, exercise.title)[kit.lang]}\n`;
}

function unknown(id: string, meant: readonly string[]): Text {
  const quoted = meant.map((each) => `\`${each}\``);
  const either = (or: string) => [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(` ${or} `);
  return {
    es: `No hay diagnóstico \`${id}\`.${meant.length === 0 ? "" : ` ¿Querías decir ${either("o")}?`}\nTodos: \`npx bucle explain\``,
    en: `There is no diagnosis \`${id}\`.${meant.length === 0 ? "" : ` Did you mean ${either("or")}?`}\nAll of them: \`npx bucle explain\``,
  };
}

const HEADING: Text = {
  es: "Los errores que Bucle reconoce. Para leer sobre uno: npx bucle explain <id>",
  en: "The mistakes that Bucle knows. To read about one: npx bucle explain <id>",
};
const LESSON = (number: string): Text => ({ es: `Lección ${number}`, en: `Lesson ${number}` });
const PRACTISE = (id: string, title: Text): Text => ({
  es: `Se practica en el ejercicio ${id}, ${title.es}: \`npx bucle start ${id}\``,
  en: `Exercise ${id} is about it (${title.en}): \`npx bucle start ${id}\``,
});
