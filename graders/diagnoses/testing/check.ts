/** The two lists of a diagnosis' test: agents whose trace has it, and agents whose trace does not. */
import { expect, test } from "vitest";
import { type Agent, play, type Setting } from "../../testing/play.ts";
import type { Diagnosis } from "../../trace/diagnosis.ts";
import { LANGS } from "../../trace/text.ts";
import { diagnose } from "../catalog/catalog.ts";
import { careful, honest, recursive } from "./agents.ts";

export interface Case extends Setting {
  name: string;
  agent: Agent;
  /** Has: the headline, when it is another diagnosis. Has not: the headline there is, null for a clean run. */
  headline?: string | null;
  /** How the run ends; checked where given. */
  ends?: string;
  /** Words of the detail, in either language. */
  says?: readonly string[];
  /** Words that would be false: in no text of the finding, in neither language. */
  never?: readonly string[];
  /** Everything that is found, headline first; checked where given. */
  found?: readonly string[];
  /** The line of the agent's text (its first is 1) that the finding points at. */
  line?: number | null;
}

/** Longest first line of a failed run. */
export const HEADLINE_CHARS = 90;

/** Tests that a diagnosis is found where it is, with words fit to be read, and nowhere else. */
export function lists(diagnosis: Diagnosis, { has, hasNot }: { has: readonly Case[]; hasNot: readonly Case[] }): void {
  for (const each of has) {
    test(`has it: ${each.name}`, async () => {
      const run = await play(each.agent, each);
      const finding = diagnosis.detect(run);
      expect(finding, `kept: ${diagnose(run).map(({ id }) => id)}`).not.toBeNull();
      if (finding === null) return;
      for (const lang of LANGS) {
        const { headline, detail, next } = finding;
        expect(headline[lang].length, headline[lang]).toBeLessThanOrEqual(HEADLINE_CHARS);
        for (const text of [headline[lang], detail[lang], next[lang]])
          expect(quoteless(text)).not.toMatch(/undefined|null|NaN|\[object| {2}|^ | $|^$/);
        expect(detail[lang]).toMatch(/[.»"]$/);
        expect(next[lang]).toMatch(/[.?]$/);
        if (diagnosis.id.includes("-")) expect(headline[lang]).not.toContain(diagnosis.id);
      }
      for (const words of each.says ?? []) expect(`${finding.detail.es} ${finding.detail.en}`).toContain(words);
      for (const words of each.never ?? []) expect(JSON.stringify(finding)).not.toContain(words);
      if (each.found !== undefined) expect(diagnose(run).map(({ id }) => id)).toEqual(each.found);
      if (each.line !== undefined) expect(finding.at?.line ?? null).toBe(each.line);
      if (each.ends !== undefined) expect(run.kind ?? run.outcome).toBe(each.ends);
      expect(diagnose(run)[0]?.id).toBe(each.headline ?? diagnosis.id);
    });
  }
  for (const each of hasNot) {
    test(`does not have it: ${each.name}`, async () => {
      const run = await play(each.agent, each);
      expect(diagnosis.detect(run)).toBeNull();
      if (each.ends !== undefined) expect(run.kind ?? run.outcome).toBe(each.ends);
      if (each.found !== undefined) expect(diagnose(run).map(({ id }) => id)).toEqual(each.found);
      if (each.headline !== undefined) expect(diagnose(run)[0]?.id ?? null).toBe(each.headline);
    });
  }
}

/** A text without what it quotes: an error's own words may say anything. */
function quoteless(text: string): string {
  return text.replace(/«[^»]*»|"[^"]*"|`[^`]*`/g, "…");
}

/** Honest loops against one conversation. */
export function honestly(script?: unknown): Case[] {
  return [honest, recursive, careful].map((agent) => ({
    name: `${agent.name}, an honest loop`,
    agent,
    script,
    headline: null,
  }));
}
