/** A whole audit of an agent that is played in this process. */
import { type Agent, play, playBeside } from "../../testing/play.ts";
import { type Audited, type AuditOptions, audit } from "../audit.ts";
import type { Settings } from "../settings.ts";
import type { Stage } from "../stage/stage.ts";

function stageOf(agent: Agent): Stage {
  return {
    clock: "virtual",
    entry: "runAgent",
    layers: [],
    endpoint: "",
    whenSilent: { es: "", en: "" },
    play: (scenarios, { together, stopWhen: _, ...how }) =>
      together
        ? playBeside(agent, scenarios, together, how)
        : Promise.all(scenarios.map((scenario) => play(agent, { ...how, scenario, cap: 15 }))),
    close: async () => {},
  };
}

const SETTINGS: Settings = { ignore: {}, inputs: {}, allowTools: [], leaveTools: [], maxCalls: 40 };

/** @param more what differs from an audit with stand-ins */
export function audited(
  agent: Agent,
  { settings, ...more }: Partial<Omit<AuditOptions, "settings"> & { settings: Partial<Settings> }> = {},
): Promise<Audited> {
  return audit({
    stage: stageOf(agent),
    subject: "agent.ts",
    kit: "test",
    seed: "seed",
    lang: "en",
    settings: { ...SETTINGS, ...settings },
    usesHarness: false,
    stubbed: true,
    ...more,
  });
}
