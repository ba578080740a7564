import { expect, test } from "vitest";
import { type Agent, play } from "../testing/play.ts";
import { oneTurn, script } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unawaitedModel from "./unawaited-model.ts";

lists(unawaitedModel, {
  has: [
    {
      name: "the content of a promise is read",
      agent: async ({ callModel, tools, userInput }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        const response: any = callModel({ messages: [{ role: "user", content: userInput }], tools });
        return response.content.filter((block: { type: string }) => block.type === "text");
      },
      ends: "threw",
      says: ["`TypeError`"],
    },
    {
      name: "the condition reads a promise, so the loop is never entered",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        const response: any = callModel({ messages: [{ role: "user", content: userInput }], tools });
        while (response.stop_reason === "tool_use") await executeTool("read_logs", {});
        return response;
      },
      ends: "returned",
      says: ["pidió `read_logs`"],
    },
    {
      name: "the function ends with nothing before the model has answered",
      agent: async ({ callModel, tools, userInput }) => {
        callModel({ messages: [{ role: "user", content: userInput }], tools });
      },
      ends: "returned",
      says: ["terminó sin esperarla"],
    },
    {
      name: "a later reply is read as it is set off",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        let response: any = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          const results = await Promise.all(
            response.content
              .filter((block: { type: string }) => block.type === "tool_use")
              .map(async ({ id, name, input }: { id: string; name: string; input: unknown }) => ({
                type: "tool_result",
                tool_use_id: id,
                content: JSON.stringify(await executeTool(name, input)),
              })),
          );
          messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
          response = callModel({ messages, tools });
        }
        return response.content.filter((block: { type: string }) => block.type === "text");
      },
      ends: "threw",
      says: ["`TypeError`", "antes de que el modelo contestara"],
      found: ["unawaited-model"],
    },
    {
      name: "a later reply is read after it came, by a function that does not wait for it",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        let response: any = await callModel({ messages, tools });
        const pause = () => new Promise(setImmediate);
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        const answer = async (reply: any) => {
          await pause();
          return reply.content.find((block: { type: string }) => block.type === "text").text;
        };
        while (response.stop_reason === "tool_use") {
          const results: unknown[] = [];
          for (const { type, id, name, input } of response.content) {
            if (type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(name, input));
            results.push({ type: "tool_result", tool_use_id: id, content });
          }
          messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
          response = callModel({ messages, tools });
        }
        return await answer(response);
      },
      ends: "threw",
      says: ["Nadie espera la llamada", "`TypeError`", "reading 'find'"],
      found: ["unawaited-model"],
    },
    {
      name: "the last reply is read too early, and nothing is returned",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        // biome-ignore lint/suspicious/noExplicitAny: a student's file in JavaScript
        let response: any = await callModel({ messages, tools });
        for (const { type, id, name, input } of response.content) {
          if (type !== "tool_use") continue;
          const content = JSON.stringify(await executeTool(name, input));
          messages.push({ role: "assistant", content: response.content });
          messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
        }
        response = callModel({ messages, tools });
        await new Promise(setImmediate);
        return response.content?.[0].text;
      },
      script: script(oneTurn),
      ends: "returned",
      says: ["El modelo dio su respuesta final", "de ahí no sale ningún texto"],
      found: ["unawaited-model"],
    },
    {
      name: "a function of its own asks the model and is not waited for",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const step = async (): Promise<unknown> => {
          const response = await callModel({ messages, tools });
          if (response.stop_reason !== "tool_use") return response;
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            results.push({ type: "tool_result", tool_use_id: block.id, content });
          }
          messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
          step();
        };
        return await step();
      },
      ends: "returned",
      says: ["salió de `step`", "llama a `step` sin esperar", "calls `step` without waiting"],
      never: ["lo que hay en la variable", "what the variable holds", "Qué devuelve `callModel`"],
      found: ["unawaited-model"],
    },
  ],
  hasNot: [
    ...honestly(),
    { name: "a loop that stops early but waits", agent: loop({ on: () => false }), headline: "stopped-early" },
    {
      name: "a promise that a later line waits for, and an error of another making",
      agent: async ({ callModel, tools, userInput }) => {
        const pending = callModel({ messages: [{ role: "user", content: userInput }], tools });
        const [response] = await Promise.all([pending]);
        return (response as unknown as { answer: { text: string } }).answer.text;
      },
      ends: "threw",
      headline: "threw",
    },
    {
      name: "an error of another making in a loop that waits",
      agent: loop({
        on: (_, turn) => {
          if (turn === 1) throw new TypeError("x is not a function");
          return true;
        },
      }),
      headline: "threw",
    },
    {
      name: "a request made beside the answer, that nobody waits for",
      agent: async (hands) => {
        const answer = await loop({})(hands);
        hands.callModel({ messages: [{ role: "user", content: "A title for this, please" }], tools: hands.tools });
        return answer;
      },
    },
    {
      name: "two requests at once, of which one is rejected",
      agent: ({ callModel, tools, userInput }) =>
        Promise.all([
          callModel({ messages: [], tools }),
          new Promise((resolve) => setImmediate(resolve)).then(() =>
            callModel({ messages: [{ role: "user", content: userInput }], tools }),
          ),
        ]),
      ends: "threw",
    },
  ],
});

test("a line that does wait for the reply is not pointed at", async () => {
  const agent: Agent = ({ callModel, tools, userInput }) => {
    [userInput].forEach(async (content) => {
      await callModel({ messages: [{ role: "user", content }], tools });
    });
  };
  const run = await play(agent);
  const line = run.source.files[0]!.text.split("\n").findIndex((each) => each.includes("await callModel")) + 1;
  const at = { file: "agent.ts", line, column: 1 };
  const trace = run.trace.map((event) => (event.type === "request" ? { ...event, at } : event));
  const finding = unawaitedModel.detect({ ...run, trace });
  expect(finding?.at).toBeNull();
  expect(finding?.detail.en).toContain(`(line ${line})`);
  expect(finding?.detail.en).toContain("That line does wait for the reply");
});
