import type { CodeFrame, CriterionGrade, ExerciseGrade, FindingGrade, Grade, RunGrade } from "../../grading/grade.ts";
import type { Text } from "../../trace/text.ts";

/**
 * Grades written by hand, for the tests of every report: what grading would give, without running anything.
 * Each is a function, so that a test may change what it gets.
 */

/** A grade of these exercises. */
export function gradeOf(...exercises: ExerciseGrade[]): Grade {
  return {
    kit: "0.1.0",
    pack: `sha256:${"0123456789abcdef".repeat(4)}`,
    seed: "k3f9x2",
    layers: ["permission", "virtual-time"],
    exercises,
  };
}

/** All of it right, on two scenarios. */
export function passed(): ExerciseGrade {
  return exercise({
    status: "passed",
    points: { earned: 10, possible: 10 },
    criteria: [criterion("final-answer", FINAL_ANSWER, 4), criterion("tools-once", TOOLS_ONCE, 6)],
    runs: [run({}), run(TWO_CALLS)],
  });
}

/** Right, with one thing worth knowing. */
export function passedWithAdvice(): ExerciseGrade {
  return { ...passed(), runs: [run({ findings: [SPLIT_RESULTS] }), run({ ...TWO_CALLS, findings: [SPLIT_RESULTS] })] };
}

/** All criteria hold, and in one run a mistake was seen that none of them asks about. */
export function passedWithFault(): ExerciseGrade {
  return {
    ...passed(),
    runs: [run({}), run({ ...TWO_CALLS, findings: [RESULT_NOT_SENT, SPLIT_RESULTS] })],
  };
}

/** A criterion fails, and all that was seen is advice. */
export function failedWithAdvice(): ExerciseGrade {
  const [first, ...others] = passed().criteria;
  const message = {
    es: "Los resultados van en varios mensajes.",
    en: "The results go in several messages.",
  };
  return {
    ...passedWithAdvice(),
    status: "failed",
    points: { earned: 6, possible: 10 },
    criteria: [{ ...first!, status: "failed", points: { earned: 0, possible: 4 }, message }, ...others],
  };
}

/** The loop reads an old reply: two runs looped for the same reason, a third was right. */
export function loopedOnOldReply(): ExerciseGrade {
  const looped = { outcome: "looped", kind: "missing-reassignment" } as const;
  return exercise({
    status: "failed",
    points: { earned: 2, possible: 10 },
    criteria: [
      criterion(
        "no-tools",
        { es: "Responde cuando no hay herramientas que usar", en: "Answers when no tool is needed" },
        2,
      ),
      criterion("final-answer", FINAL_ANSWER, 4, {
        es: "Tu bucle no llegó a la respuesta final en 2 de 3 conversaciones.",
        en: "Your loop did not reach the final answer in 2 of 3 conversations.",
      }),
      criterion("tools-once", TOOLS_ONCE, 3, {
        es: "`read_logs` se ejecutó 25 veces y el modelo la pidió una.",
        en: "`read_logs` was run 25 times and the model asked for it once.",
      }),
      {
        ...criterion("cap", { es: "Se rinde con un motivo", en: "Gives up with a reason" }, 1),
        status: "skipped",
        points: { earned: 0, possible: 1 },
        message: {
          es: "No se evaluó: primero el bucle tiene que terminar.",
          en: "Not judged: first the loop has to end.",
        },
      },
    ],
    runs: [
      run({
        ...looped,
        counts: { callModel: 1, executeTool: 25, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
        findings: [OLD_REPLY, RESULT_NOT_SENT, SPLIT_RESULTS],
      }),
      run({
        ...TWO_CALLS,
        ...looped,
        counts: { callModel: 1, executeTool: 50, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
        findings: [OLD_REPLY],
      }),
      run({
        scenario: "no-tools",
        title: { es: "El modelo responde sin herramientas", en: "The model answers without tools" },
        counts: { callModel: 1, executeTool: 0, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
        expected: { callModel: 1, executeTool: 0 },
      }),
    ],
  });
}

/** The same loop, with a `console.log` on every pass. */
export function loopedAndPrinted(): ExerciseGrade {
  const grade = loopedOnOldReply();
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `pass ${from + index}: stop_reason = tool_use`);
  const [first, second, third] = grade.runs as [RunGrade, RunGrade, RunGrade];
  first.printed = { head: lines(1, 51), tail: lines(951, 1001), omittedLines: 900 };
  second.printed = { head: ["pass 1", "pass 2"], tail: [], omittedLines: 0 };
  third.printed = { head: ["the answer is ready"], tail: [], omittedLines: 0 };
  return grade;
}

/** Thrown out of a tool's error; the error's text is the student's. */
export function threwOnToolError(): ExerciseGrade {
  return exercise({
    id: "5.1",
    folder: "5.1-a-tool-that-fails",
    title: { es: "Una herramienta que falla", en: "A tool that fails" },
    status: "failed",
    points: { earned: 0, possible: 5 },
    criteria: [
      criterion(
        "goes-on",
        { es: "El bucle sigue cuando una herramienta falla", en: "The loop goes on when a tool fails" },
        5,
        {
          es: "El error de la herramienta salió de `runAgent`.",
          en: "The tool's error came out of `runAgent`.",
        },
      ),
    ],
    runs: [
      run({
        outcome: "threw",
        counts: { callModel: 1, executeTool: 1, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
        findings: [TOOL_ERROR_CRASHES],
        error: {
          name: "ToolError",
          message: "connection to orders-db refused",
          at: { file: "agent.ts", line: 14, column: 23 },
          stack: [{ file: "agent.ts", line: 14, column: 23 }],
        },
      }),
      run({
        ...TWO_CALLS,
        outcome: "crashed",
        kind: "exited",
        counts: { callModel: 1, executeTool: 0, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
      }),
    ],
  });
}

/** A cap that gives up by throwing, as it should. */
export function gaveUpWell(): ExerciseGrade {
  return exercise({
    id: "3.1",
    folder: "3.1-put-a-cap",
    title: { es: "Pon un tope", en: "Put a cap" },
    status: "passed",
    points: { earned: 5, possible: 5 },
    criteria: [
      criterion("cap", { es: "Se rinde en el tope, con un motivo", en: "Gives up at the cap, with a reason" }, 5),
    ],
    runs: [
      run({
        scenario: "endless",
        title: { es: "El modelo nunca deja de pedir", en: "The model never stops asking" },
        outcome: "threw",
        counts: { callModel: 10, executeTool: 9, httpRequests: 10, rejected: 0, faulted: 0, messages: 20 },
        expected: null,
        error: { name: "AgentStopped", message: "cap of 10 reached", at: null, stack: [] },
      }),
    ],
  });
}

/** Fails on what was answered, without a known mistake. */
export function failedWithoutFinding(): ExerciseGrade {
  return exercise({
    status: "failed",
    points: { earned: 0, possible: 4 },
    criteria: [
      criterion("final-answer", FINAL_ANSWER, 4, {
        es: "Lo devuelto no contiene la respuesta final del modelo.",
        en: "What was returned does not hold the model's final answer.",
      }),
    ],
    runs: [
      run({}),
      run({
        ...TWO_CALLS,
        counts: { callModel: 2, executeTool: 1, httpRequests: 2, rejected: 0, faulted: 0, messages: 4 },
      }),
    ],
  });
}

/** A file that is no program. */
export function doesNotCompile(): ExerciseGrade {
  return exercise({
    status: "failed",
    points: { earned: 0, possible: 10 },
    criteria: [criterion("final-answer", FINAL_ANSWER, 4, NOT_RUN), criterion("tools-once", TOOLS_ONCE, 6, NOT_RUN)],
    problem: {
      whose: "student",
      headline: { es: "agent.ts no se puede leer como TypeScript", en: "agent.ts cannot be read as TypeScript" },
      detail: {
        es: "En la línea 9 se esperaba `)` y se encontró `{`.",
        en: "On line 9 a `)` was expected and a `{` was found.",
      },
      next: {
        es: "Mira el paréntesis que se abre en esa línea: ¿dónde se cierra?",
        en: "Look at the bracket that opens on that line: where does it close?",
      },
      at: { file: "agent.ts", line: 9, column: 45 },
      frame: {
        file: "agent.ts",
        first: 7,
        line: 9,
        column: 45,
        lines: [
          "  let response = await callModel({ messages, tools });",
          "",
          '  while (response.stop_reason === "tool_use" {',
          "    const results = [];",
          "    for (const block of response.content) {",
        ],
      },
    },
  });
}

/** We failed, not the student. */
export function ourError(): ExerciseGrade {
  return exercise({
    id: "2.5",
    folder: "2.5-several-tools",
    title: { es: "Varias herramientas", en: "Several tools" },
    status: "error",
    points: { earned: 0, possible: 8 },
    criteria: [
      {
        ...criterion("final-answer", FINAL_ANSWER, 8),
        status: "error",
        points: { earned: 0, possible: 8 },
        message: { es: "El kit no pudo ejecutarla.", en: "The kit could not run it." },
      },
    ],
    problem: {
      whose: "kit",
      headline: {
        es: "El kit no pudo arrancar el proceso aislado",
        en: "The kit could not start the isolated process",
      },
      detail: {
        es: "Tu código no llegó a ejecutarse, y nada de esto cuenta en tu contra.",
        en: "Your code was never run, and none of this counts against you.",
      },
      next: {
        es: "Revisa tu instalación con: npx bucle doctor",
        en: "Check your installation with: npx bucle doctor",
      },
      at: null,
      frame: null,
    },
  });
}

/** Still the starter. */
export function untouched(): ExerciseGrade {
  return exercise({
    id: "2.4",
    folder: "2.4-two-calls",
    title: { es: "Dos llamadas en un turno", en: "Two calls in one turn" },
    status: "untouched",
    points: { earned: 0, possible: 6 },
    criteria: [criterion("tools-once", TOOLS_ONCE, 6, NOT_RUN)],
  });
}

/** Two answers still null. */
export function quizMissing(): ExerciseGrade {
  return quizExercise({ missing: ["executeTool", "ends"] });
}

/** All answered, two ideas off: on to the next conversation. */
export function quizWrong(): ExerciseGrade {
  return quizExercise({
    nextConversation: 2,
    off: [
      {
        es: "Cuántas veces se llama al modelo cuando una respuesta pide dos herramientas.",
        en: "How often the model is called when one reply asks for two tools.",
      },
      { es: "Qué hace que el bucle termine.", en: "What makes the loop end." },
    ],
  });
}

/** Strings made to break a report, wherever the student has a say. */
export function hostile(): ExerciseGrade {
  const grade = threwOnToolError();
  const [first] = grade.runs as [RunGrade];
  const nasty = HOSTILE.join("\n");
  first.printed = { head: [...HOSTILE], tail: [...HOSTILE], omittedLines: 0 };
  first.error = {
    name: `Evil\u001b[31mError\n::error::name`,
    message: `thrown: ${nasty}`,
    at: { file: "age\u202ent.ts\n::error::file", line: 3, column: 1 },
    stack: [],
  };
  first.findings = [
    {
      ...TOOL_ERROR_CRASHES,
      at: { file: "a\u0000gent.ts", line: 3, column: 5 },
      frame: {
        file: "a\u0000gent.ts",
        first: 2,
        line: 3,
        column: 5,
        lines: ["\u001b[2J// ::error::frame", `\t\u001b]0;title\u0007x${"y".repeat(5000)}`, "##[error]frame"],
      },
      detail: { es: `Se vio:\n${nasty}`, en: `Seen:\n${nasty}` },
    },
  ];
  const [failed] = grade.criteria as [CriterionGrade];
  failed.message = { es: nasty, en: nasty };
  return grade;
}

/** One line each: a terminal command, a link, an override, a runner's command, a huge line, … */
export const HOSTILE: readonly string[] = [
  "clear \u001b[2J\u001b[H and colour \u001b[31mred\u001b[0m",
  "a \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 and \u001b]8;;https://example.com\u001b\\another\u001b]8;;\u001b\\",
  "title \u001b]0;pwned\u0007 and \u009b31m eight bits \u009d0;pwned\u009c",
  "bidi \u202egnp.exe\u202c and \u2066isolate\u2069 and zero\u200bwidth\ufeff",
  "::error::x",
  "  ::set-output name=points::10",
  "##[error]x",
  "carriage\rreturn and nul \u0000 and bell \u0007 and backspace \b",
  "half a pair \ud83d and the other half \ude00",
  "line\u2028separator",
  "x".repeat(5000),
];

const FINAL_ANSWER: Text = { es: "Devuelve la respuesta final del modelo", en: "Returns the model's final answer" };
const TOOLS_ONCE: Text = {
  es: "Ejecuta una sola vez cada herramienta que el modelo pide",
  en: "Runs each tool the model asks for exactly once",
};
const NOT_RUN: Text = { es: "No se pudo ejecutar.", en: "It could not be run." };

const TWO_CALLS: Partial<RunGrade> = {
  scenario: "two-calls",
  title: { es: "Dos llamadas en una respuesta", en: "Two calls in one reply" },
  counts: { callModel: 2, executeTool: 2, httpRequests: 2, rejected: 0, faulted: 0, messages: 4 },
  expected: { callModel: 2, executeTool: 2 },
};

const LOOP_FRAME: CodeFrame = {
  file: "agent.ts",
  first: 8,
  line: 9,
  column: 3,
  lines: [
    "  let response = await callModel({ messages, tools });",
    '  while (response.stop_reason === "tool_use") {',
    "    const results = await runTools(response);",
    '    messages.push({ role: "assistant", content: response.content });',
  ],
};

const OLD_REPLY: FindingGrade = {
  id: "missing-reassignment",
  weight: "fault",
  turn: 1,
  at: { file: "agent.ts", line: 9, column: 3 },
  frame: LOOP_FRAME,
  headline: {
    es: "Tu bucle sigue leyendo la primera respuesta del modelo",
    en: "Your loop keeps reading the model's first reply",
  },
  detail: {
    es: "Ejecutó `read_logs` 25 veces con la misma respuesta del modelo. El modelo esperaba los resultados para dar la siguiente, pero la condición del `while` mira siempre la misma.",
    en: "It ran `read_logs` 25 times for the same reply of the model. The model was waiting for the results to give its next one, but the condition of the `while` always looks at the same reply.",
  },
  next: {
    es: "Al final del cuerpo del bucle, ¿dónde queda la respuesta nueva?",
    en: "At the end of the loop's body, where does the new reply go?",
  },
};

const RESULT_NOT_SENT: FindingGrade = {
  id: "dropped-tool-result",
  weight: "fault",
  turn: 1,
  at: { file: "agent.ts", line: 11, column: 5 },
  frame: null,
  headline: {
    es: "El resultado de una herramienta no llegó al modelo",
    en: "The result of a tool did not reach the model",
  },
  detail: {
    es: "Se ejecutaron 25 herramientas y el modelo no recibió ningún tool_result.",
    en: "25 tools were run and the model was sent no tool_result.",
  },
  next: { es: "¿Qué mensaje lleva los resultados?", en: "Which message carries the results?" },
};

const SPLIT_RESULTS: FindingGrade = {
  id: "split-tool-results",
  weight: "advice",
  turn: 1,
  at: { file: "agent.ts", line: 15, column: 7 },
  frame: null,
  headline: {
    es: "Los resultados de un turno van en mensajes separados",
    en: "The results of one turn go in separate messages",
  },
  detail: {
    es: "La API los acepta; la documentación pide que vayan todos en un mensaje, porque así el modelo aprende a pedir varias herramientas a la vez.",
    en: "The API accepts them; the documentation asks for all of them in one message, since that keeps the model asking for several tools at once.",
  },
  next: { es: "¿Puedes juntarlos antes de enviarlos?", en: "Can you gather them before you send them?" },
};

const TOOL_ERROR_CRASHES: FindingGrade = {
  id: "tool-error-crashes",
  weight: "fault",
  turn: 1,
  at: { file: "agent.ts", line: 14, column: 23 },
  frame: null,
  headline: {
    es: "El error de una herramienta detuvo todo el bucle",
    en: "A tool's error stopped the whole loop",
  },
  detail: {
    es: "`query_db` falló y nadie se lo dijo al modelo, que esperaba un tool_result para decidir qué hacer.",
    en: "`query_db` failed and nobody told the model, which was waiting for a tool_result to decide what to do.",
  },
  next: {
    es: "¿Cómo puede enterarse el modelo de que la herramienta falló?",
    en: "How can the model learn that the tool failed?",
  },
};

function quizExercise(quiz: Partial<NonNullable<ExerciseGrade["quiz"]>>): ExerciseGrade {
  return exercise({
    id: "2.1",
    folder: "2.1-count-the-calls",
    title: { es: "Cuenta las llamadas", en: "Count the calls" },
    kind: "predict",
    status: "failed",
    points: { earned: 0, possible: 5 },
    criteria: [
      criterion("predicted", { es: "Predice lo que hace el bucle", en: "Predicts what the loop does" }, 5, {
        es: "Todavía no está todo bien en un mismo intento.",
        en: "Not all is right yet in one and the same try.",
      }),
    ],
    quiz: {
      conversation: 1,
      nextConversation: null,
      transcript: {
        es: [
          "usuario    ¿Por qué falla el servicio payments?",
          "modelo     tool_use   read_logs { service: payments }",
          "           tool_use   query_db { table: orders }",
          "modelo     end_turn   «La base de datos rechaza conexiones.»",
        ].join("\n"),
        en: [
          "user       Why does the payments service fail?",
          "model      tool_use   read_logs { service: payments }",
          "           tool_use   query_db { table: orders }",
          "model      end_turn   “The database refuses connections.”",
        ].join("\n"),
      },
      questions: [
        {
          key: "callModel",
          ask: { es: "¿Cuántas veces se llama al modelo?", en: "How often is the model called?" },
          options: null,
        },
        {
          key: "executeTool",
          ask: { es: "¿Cuántas herramientas se ejecutan?", en: "How many tools are run?" },
          options: null,
        },
        {
          key: "ends",
          ask: { es: "¿Por qué termina el bucle?", en: "Why does the loop end?" },
          options: [
            {
              id: "c",
              text: { es: "La última respuesta no pide herramientas.", en: "The last reply asks for no tools." },
            },
            { id: "a", text: { es: "No quedan herramientas por ejecutar.", en: "No tools are left to run." } },
            {
              id: "b",
              text: {
                es: "`stop_reason` de la última respuesta es end_turn, y la condición del bucle lo mira en cada vuelta.",
                en: "The last reply's `stop_reason` is end_turn, and the loop's condition looks at it on every pass.",
              },
            },
          ],
        },
      ],
      missing: [],
      off: [],
      ...quiz,
    },
  });
}

function exercise(own: Partial<ExerciseGrade>): ExerciseGrade {
  return {
    id: "2.3",
    folder: "2.3-write-the-loop",
    title: { es: "Escribe el bucle", en: "Write the loop" },
    kind: "build",
    status: "passed",
    points: { earned: 0, possible: 0 },
    criteria: [],
    runs: [],
    generated: null,
    quiz: null,
    problem: null,
    ...own,
  };
}

/** Passed, or failed for a reason. */
function criterion(id: string, title: Text, points: number, message: Text | null = null): CriterionGrade {
  return {
    id,
    title,
    status: message === null ? "passed" : "failed",
    points: { earned: message === null ? points : 0, possible: points },
    message,
  };
}

function run(own: Partial<RunGrade>): RunGrade {
  return {
    scenario: "one-call",
    title: { es: "Una llamada y la respuesta", en: "One call and the answer" },
    outcome: "returned",
    kind: null,
    counts: { callModel: 2, executeTool: 1, httpRequests: 2, rejected: 0, faulted: 0, messages: 4 },
    expected: { callModel: 2, executeTool: 1 },
    findings: [],
    error: null,
    printed: { head: [], tail: [], omittedLines: 0 },
    ms: 41,
    ...own,
  };
}
