/** `bucle serve`, past its options: the scenario found, the port opened, and what happens there told until Ctrl-C. */
import { openScenario } from "../model/scenario.ts";
import { ScenarioError } from "../model/scenario-file.ts";
import { linesOf, opening } from "../serve/log.ts";
import { findScenario, scenarioNames } from "../serve/scenarios.ts";
import { type Answering, openPort, type Port } from "../serve/server.ts";
import { tryOut } from "../serve/trying.ts";
import type { Text } from "../trace/text.ts";
import { checkLang, type Kit, seedOf, UsageError } from "./kit.ts";
import { nearest } from "./nearest.ts";

type Options = Readonly<Record<string, unknown>>;

/**
 * @param words the scenario: a name of the kit's, or a path
 * @returns the exit code, once the user has had enough
 */
export async function run(kit: Kit, [asked]: readonly string[], options: Options): Promise<number> {
  checkLang(options);
  const port = portOf(options);
  const { lang } = kit;
  const { name, file } = scenarioOf(kit, asked);
  const scenario = openScenario(file, { name, seed: seedOf(options), lang });
  const asJson = options.json === true;
  const print = (event: object, lines: readonly string[]) => {
    process.stdout.write(asJson ? `${JSON.stringify(event)}\n` : lines.map((line) => `${line}\n`).join(""));
  };
  const trial = tryOut(scenario, (happening) => print(happening, linesOf(happening, lang)));
  const { url, close } = await portAt(trial.answer, port);
  const enough = interrupted();
  const { seed, userInput, tools } = scenario;
  print({ event: "listening", url, scenario: name, seed, userInput, tools }, [...opening(scenario, url, lang), ""]);

  await enough;
  await close();
  trial.end();
  return 0;
}

function portOf({ port }: Options): number {
  if (port === undefined) return 0;
  const number = Number(port);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new UsageError({
    es: "`--port` es un número de puerto, de 1 a 65535.",
    en: "`--port` is the number of a port, from 1 to 65535.",
  });
}

function scenarioOf({ root }: Kit, asked: string | undefined) {
  const names = scenarioNames(root);
  if (asked === undefined) throw new UsageError(LIST(WHICH, names));
  try {
    const found = findScenario(root, asked);
    if (found !== null) return found;
  } catch (error) {
    if (error instanceof ScenarioError) throw new UsageError(error.text);
    throw error;
  }
  throw new UsageError(LIST(UNKNOWN(asked, nearest(asked, names, 1)[0]), names));
}

async function portAt(answer: Answering, port: number): Promise<Port> {
  try {
    return await openPort(answer, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" || code === "EACCES") throw new UsageError(TAKEN(port, code));
    throw error;
  }
}

/** Resolves when the user has had enough. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

const LIST = (what: Text, names: readonly string[]): Text => {
  const listed = names.map((name) => `  ${name}`).join("\n");
  return { es: `${what.es}\n${listed}`, en: `${what.en}\n${listed}` };
};
const WHICH: Text = {
  es: "Di qué escenario: un archivo tuyo, o uno de estos, por ejemplo `npx bucle serve weather-one-call`.",
  en: "Say which scenario: a file of yours, or one of these, for example `npx bucle serve weather-one-call`.",
};
const UNKNOWN = (asked: string, meant: string | undefined): Text => ({
  es: `No hay escenario ni archivo \`${asked}\`.${meant ? ` ¿Querías decir \`${meant}\`?` : ""} Los escenarios que hay:`,
  en: `There is no scenario and no file \`${asked}\`.${meant ? ` Did you mean \`${meant}\`?` : ""} The scenarios there are:`,
});
const TAKEN = (port: number, code: string): Text =>
  code === "EADDRINUSE"
    ? {
        es: `El puerto ${port} ya está en uso. Elige otro, o quita --port y se toma uno libre.`,
        en: `Port ${port} is already in use. Choose another, or leave out --port to take a free one.`,
      }
    : {
        es: `No se puede usar el puerto ${port} con tus permisos. Elige uno desde 1024, o quita --port y se toma uno libre.`,
        en: `Port ${port} cannot be had with your rights. Choose one from 1024 on, or leave out --port to take a free one.`,
      };
