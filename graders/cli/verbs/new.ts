import { diagnoses } from "../../diagnoses/catalog/catalog.ts";
import { existing, freeRank, isCheckout, isId, scaffold } from "../../diagnoses/scaffold/scaffold.ts";
import type { Text } from "../../trace/text.ts";
import { checkLang, UsageError } from "../kit.ts";
import type { Verb } from "../verb.ts";

const make: Verb = {
  name: "new",
  order: 95,
  summary: {
    es: "para quien contribuye: los archivos de algo nuevo",
    en: "for contributors: the files of something new",
  },
  argument: {
    syntax: "[what...]",
    text: { es: "`diagnosis` y el id que tendrá", en: "`diagnosis`, and the id it will have" },
  },
  run: async ({ root, lang }, [what, id, ...more], options) => {
    checkLang(options);
    if (what !== "diagnosis" || id === undefined || more.length > 0) throw new UsageError(USAGE);
    if (!isCheckout(root)) throw new UsageError(PACKED);
    if (!isId(id)) throw new UsageError(BAD_ID(id));
    const there = existing(root, id);
    if (there.length > 0) throw new UsageError(TAKEN(id, there));
    const rank = freeRank(diagnoses);
    const written = scaffold(root, id, rank);
    process.stdout.write(`${WRITTEN(written, id, rank)[lang]}\n`);
    return 0;
  },
};

export default make;

const USAGE: Text = {
  es: "Escribe qué hay que crear y su id: `npx bucle new diagnosis <id>`",
  en: "Say what to make, and its id: `npx bucle new diagnosis <id>`",
};
const PACKED: Text = {
  es: "Aquí no están las fuentes de Bucle, solo el paquete instalado: un diagnóstico nuevo no tendría dónde vivir.\nClona el repositorio, ejecuta `npm ci` en su carpeta y repite la orden ahí.",
  en: "The sources of Bucle are not here, only the installed package: a new diagnosis would have nowhere to live.\nClone the repository, run `npm ci` in its folder and repeat the command there.",
};
const BAD_ID = (id: string): Text => ({
  es: `\`${id}\` no sirve de id. Un id son palabras en inglés, en minúsculas y unidas por guiones, como \`missing-reassignment\`: hasta 40 letras.`,
  en: `\`${id}\` cannot be an id. An id is lower-case English words joined by dashes, such as \`missing-reassignment\`: up to 40 letters.`,
});
const TAKEN = (id: string, files: readonly string[]): Text => ({
  es: `Ya hay archivos de \`${id}\`, y no se tocan: ${files.join(", ")}\nElige otro id, o sigue con esos.`,
  en: `There are files of \`${id}\` already, and they are left alone: ${files.join(", ")}\nChoose another id, or go on with those.`,
});

const WRITTEN = (files: readonly string[], id: string, rank: number): Text => {
  const listed = files.map((file) => `  ${file}`).join("\n");
  const [source, test] = files;
  return {
    es: `${listed}

Todavía no encuentra nada, y su prueba falla hasta que lo haga. Lo que sigue:
  1. En ${test}, los bucles que cometen el error y los que no.
  2. En ${source}, detect y los textos. Su rank es ${rank}, que estaba libre: más bajo si causa otros errores.
  3. Las dos páginas: lo que muestra \`npx bucle explain ${id}\`.
  4. Un casi acierto, solutions/<ejercicio>/wrong/${id}.ts, y el id en el \`teaches\` de ese ejercicio.
     Si aún no lo enseña ninguno: graders/grading/near-misses/${id}.ts, y una fila en roll.ts.
Para comprobarlo:
  npx vitest run --project kit ${test}
  npx vitest run --project kit graders/diagnoses/catalog   (con -u, el orden nuevo)
  npx bucle verify`,
    en: `${listed}

It finds nothing yet, and its test fails until it does. What is next:
  1. In ${test}, the loops that make the mistake and those that do not.
  2. In ${source}, detect and the texts. Its rank is ${rank}, which was free: lower if it causes other mistakes.
  3. The two pages: what \`npx bucle explain ${id}\` shows.
  4. A near miss, solutions/<exercise>/wrong/${id}.ts, and the id in the \`teaches\` of that exercise's spec.
     Where no exercise teaches it yet: graders/grading/near-misses/${id}.ts, and a row in roll.ts.
To check it:
  npx vitest run --project kit ${test}
  npx vitest run --project kit graders/diagnoses/catalog   (with -u, for the new order)
  npx bucle verify`,
  };
};
