/** What the parser's and the bundler's diagnostics mean, in our own words: theirs name files of the kit, and come in one language. */
import type { Spot } from "../../trace/events.ts";
import type { Text } from "../../trace/text.ts";
import { editorLines } from "./lines.ts";
import type { ParseFault } from "./parse.ts";
import type { Refusal } from "./program.ts";
import { nearest, quoted } from "./wording.ts";

/** A file the parser could not read. */
export function unreadable(name: string, text: string, fault: ParseFault): Refusal {
  if (fault.kind === "too-deep") return tooDeep(name);
  const start = Math.min(fault.start, Math.max(0, text.trimEnd().length));
  const at: Spot = { file: name, ...editorLines(text).positionOf(start) };
  const { detail, next } = syntaxTexts(fault.message, text.slice(fault.start, fault.end));
  return {
    headline: {
      es: `${quoted(name)} tiene un error de sintaxis en la línea ${at.line}.`,
      en: `${quoted(name)} has a syntax error on line ${at.line}.`,
    },
    detail,
    next,
    at,
  };
}

export function tooDeep(name: string): Refusal {
  return {
    headline: {
      es: `${quoted(name)} anida demasiado para poder leerlo.`,
      en: `${quoted(name)} nests too deep to be read.`,
    },
    detail: {
      es: "Tiene expresiones o bloques, unos dentro de otros, cientos de veces.",
      en: "It has expressions or blocks inside one another hundreds of times.",
    },
    next: {
      es: "Reparte esa parte en variables o funciones con nombre.",
      en: "Split that part into variables or functions with names.",
    },
    at: { file: name, line: 1, column: 1 },
  };
}

export function commonJs(at: Spot): Refusal {
  return {
    headline: {
      es: `${quoted(at.file)} está escrito en CommonJS: tiene que ser un módulo ES.`,
      en: `${quoted(at.file)} is written in CommonJS: it has to be an ES module.`,
    },
    detail: {
      es: "Los ejercicios son módulos ES: exportan con `export` e importan con `import`.",
      en: "Exercises are ES modules: they export with `export` and import with `import`.",
    },
    next: {
      es: "Pon `export` delante de lo que exportas, y `import` en lugar de `require`.",
      en: "Put `export` in front of what you export, and `import` in place of `require`.",
    },
    at,
  };
}

/** The compiler itself gave up on a file. */
export function uncompilable(name: string): Refusal {
  return {
    headline: { es: `${quoted(name)} no se pudo compilar.`, en: `${quoted(name)} cannot be compiled.` },
    detail: {
      es: "El compilador se detuvo al leerlo, también en un segundo intento.",
      en: "The compiler stopped while reading it, at a second try too.",
    },
    next: {
      es: "Quita partes del archivo hasta dar con la que lo detiene: suele ser una expresión desmesurada.",
      en: "Take parts of the file out until you find the one that stops it: it is mostly an oversized expression.",
    },
    at: null,
  };
}

export function notJson(name: string): Refusal {
  return {
    headline: { es: `${quoted(name)} no es JSON válido.`, en: `${quoted(name)} is not valid JSON.` },
    detail: {
      es: "Se importa como JSON, y JSON no admite comentarios, comas finales ni comillas simples.",
      en: "It is imported as JSON, and JSON has no comments, no trailing commas and no single quotes.",
    },
    next: {
      es: "Ábrelo en tu editor: la primera línea subrayada es la que hay que corregir.",
      en: "Open it in your editor: the first underlined line is the one to correct.",
    },
    at: { file: name, line: 1, column: 1 },
  };
}

/**
 * What the bundler said of a file that parses.
 * @param message its own text
 * @param exportsOf the names a file of the submission exports, as far as known
 */
export function meaningless(message: string, at: Spot | null, name: string, exported: readonly string[]): Refusal {
  const where = at ?? { file: name, line: 1, column: 1 };
  const { detail, next } = meaningTexts(message, exported);
  return {
    headline: {
      es: `${quoted(where.file)} no se puede compilar: hay un error en la línea ${where.line}.`,
      en: `${quoted(where.file)} cannot be compiled: there is an error on line ${where.line}.`,
    },
    detail,
    next,
    at: where,
  };
}

interface Texts {
  detail: Text;
  next: Text;
}

function syntaxTexts(message: string, found: string): Texts {
  const expected = /^Expected (`.+`) but found `(.+)`$/.exec(message);
  if (expected) {
    const [, wanted = "", met = ""] = expected;
    const es = wanted.replaceAll(" or ", " o ");
    if (met === "EOF") {
      return {
        detail: {
          es: `El archivo termina y todavía falta ${es}.`,
          en: `The file ends and ${wanted} is still missing.`,
        },
        next: UNCLOSED,
      };
    }
    return {
      detail: {
        es: `Aquí se esperaba ${es}, y está ${quoted(found)}.`,
        en: `${wanted} was expected here, and there is ${quoted(found)}.`,
      },
      next: LOOK_BEFORE,
    };
  }
  if (message.startsWith("Unterminated")) {
    return {
      detail: {
        es: "Aquí se abre una cadena, una plantilla, una expresión regular o un comentario que no se cierra.",
        en: "A string, a template, a regular expression or a comment opens here and is not closed.",
      },
      next: UNCLOSED,
    };
  }
  if (message.startsWith("`await` is only allowed")) {
    return {
      detail: {
        es: "Hay un `await` en una función que no es `async`.",
        en: "There is an `await` in a function that is not `async`.",
      },
      next: {
        es: "¿Qué función lo contiene? Mira cómo empieza.",
        en: "Which function is it in? Look at how that function begins.",
      },
    };
  }
  if (message.startsWith("A 'return' statement")) {
    return {
      detail: { es: "Hay un `return` fuera de toda función.", en: "There is a `return` outside of any function." },
      next: {
        es: "Cuenta las llaves de más arriba: alguna cierra la función antes de tiempo.",
        en: "Count the braces above: one of them closes the function too early.",
      },
    };
  }
  if (message.startsWith("Missing initializer")) {
    return {
      detail: {
        es: "Una `const` necesita un valor al declararla.",
        en: "A `const` needs a value where it is declared.",
      },
      next: {
        es: "Dale un valor, o declárala con `let` si lo recibe después.",
        en: "Give it a value, or declare it with `let` if it gets one later.",
      },
    };
  }
  if (message.startsWith("Expected a semicolon")) {
    return {
      detail: {
        es: "Aquí termina una instrucción y lo que sigue no puede empezar otra.",
        en: "A statement ends here, and what follows cannot begin another.",
      },
      next: LOOK_BEFORE,
    };
  }
  if (message.startsWith("Cannot assign to")) {
    return {
      detail: {
        es: `No se puede asignar nada a ${quoted(found)}.`,
        en: `Nothing can be assigned to ${quoted(found)}.`,
      },
      next: {
        es: "A la izquierda de `=` va una variable. Si querías comparar, el operador es otro.",
        en: "A variable goes on the left of `=`. If you meant to compare, the operator is another.",
      },
    };
  }
  return {
    detail: found.trim()
      ? { es: `No se esperaba ${quoted(found)} aquí.`, en: `${quoted(found)} was not expected here.` }
      : { es: "El archivo termina donde debía seguir algo.", en: "The file ends where something should follow." },
    next: LOOK_BEFORE,
  };
}

function meaningTexts(message: string, exported: readonly string[]): Texts {
  const [, name = ""] = /"([^"]*)"/.exec(message) ?? [];
  const it = quoted(name);
  if (message.endsWith("has already been declared")) {
    return {
      detail: {
        es: `${it} se declara dos veces en el mismo bloque.`,
        en: `${it} is declared twice in the same block.`,
      },
      next: {
        es: "Cambia el nombre de una, o asigna sin volver a declarar.",
        en: "Rename one of them, or assign without declaring again.",
      },
    };
  }
  const missing = /^No matching export in ".*" for import "(.*)"$/.exec(message);
  if (missing) {
    const wanted = missing[1] ?? "";
    const guess = nearest(wanted, exported);
    return {
      detail: {
        es: `El módulo importado no exporta ${quoted(wanted)}.`,
        en: `The imported module does not export ${quoted(wanted)}.`,
      },
      next: guess
        ? { es: `¿Querías decir \`${guess}\`?`, en: `Did you mean \`${guess}\`?` }
        : { es: "Revisa el nombre, o expórtalo allí.", en: "Check the name, or export it there." },
    };
  }
  if (message.startsWith("Cannot assign to")) {
    return {
      detail: {
        es: `${it} es constante: no se le puede dar otro valor.`,
        en: `${it} is constant: it cannot be given another value.`,
      },
      next: {
        es: "Decláralo con `let` si tiene que cambiar, o usa otro nombre.",
        en: "Declare it with `let` if it has to change, or use another name.",
      },
    };
  }
  if (message.startsWith("Multiple exports")) {
    return {
      detail: { es: `${it} se exporta dos veces.`, en: `${it} is exported twice.` },
      next: { es: "Deja una sola exportación con ese nombre.", en: "Keep one export of that name." },
    };
  }
  if (/^Cannot use "(break|continue)"|containing label/.test(message)) {
    return {
      detail: {
        es: `${it} no está dentro de un bucle al que pueda referirse.`,
        en: `${it} is not inside a loop that it could refer to.`,
      },
      next: {
        es: "Cuenta las llaves: quizá el bucle se cierra antes.",
        en: "Count the braces: perhaps the loop closes before it.",
      },
    };
  }
  return {
    detail: {
      es: "Se puede leer, pero JavaScript no admite lo que dice ahí en un módulo.",
      en: "It can be read, but JavaScript does not allow what it says there in a module.",
    },
    next: {
      es: "Mira qué subraya tu editor en esa línea.",
      en: "Look at what your editor underlines on that line.",
    },
  };
}

const UNCLOSED: Text = {
  es: "¿Qué se abrió y no se cerró? Busca desde ahí hacia arriba.",
  en: "What was opened and never closed? Look from there upwards.",
};

const LOOK_BEFORE: Text = {
  es: "Mira también la línea anterior: a menudo falta algo al final de ella.",
  en: "Look at the line before it too: often something is missing at its end.",
};
