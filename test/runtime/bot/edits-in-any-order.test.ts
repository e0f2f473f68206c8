/** D52 Random orders of messages, edits, clicks, answers and stops. */

import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { isTurnOver, type State } from "../../../src/machine/state.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import {
  type AskedModel,
  type AskedTool,
  createWorld,
  operator,
  textAnswer,
  toolAnswer,
  toolResult,
  type World,
} from "../world.ts";

const SPEAKERS: readonly Speaker[] = [
  { id: "slack:UBOB", name: "bob", mayDrive: true, mayApprove: false },
  { id: "slack:UEVE", name: "eve", mayDrive: false, mayApprove: false },
];

type Step =
  | { readonly kind: "say" | "edit" | "add" | "queue"; readonly who: 0 | 1 }
  | { readonly kind: "answer" | "call" | "ask" | "fail" | "stop" };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          "say" as const,
          "edit" as const,
          "edit" as const,
          "add" as const,
          "queue" as const,
        ),
        who: fc.constantFrom(0 as const, 1 as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          "answer" as const,
          "call" as const,
          "ask" as const,
          "fail" as const,
          "stop" as const,
        ),
      }),
    },
  ),
  { minLength: 10, maxLength: 40, size: "max" },
);

const failure = { kind: "auth", message: "Authentication failed.", retryAfter: null } as const;

const MODEL: Readonly<Record<"answer" | "call" | "ask" | "fail", ModelOutcome>> = {
  answer: textAnswer("Yes."),
  call: toolAnswer({ name: "bash" }),
  ask: toolAnswer({ name: "request_mode_upgrade" }),
  fail: { kind: "failed", failure },
};

/** The work that the conversation waits for, answered as the test says. */
const createWork = (world: World, id: ConversationId) => {
  let model: { readonly for: string; readonly asked: AskedModel } | null = null;
  let tool: { readonly for: string; readonly asked: AskedTool } | null = null;

  const settled = async (): Promise<State> => {
    for (;;) {
      const state = (await world.bot.read(id))?.state;
      if (state === undefined) throw new Error("the conversation is gone");
      const { phase } = state;
      if (phase.kind === "thinking" && phase.request !== model?.for)
        model = { for: phase.request, asked: await world.nextModel() };
      if (phase.kind === "running" && phase.effect !== tool?.for)
        tool = { for: phase.effect, asked: await world.nextTool() };
      const starts = isTurnOver(phase) && (state.waiting ?? []).length > 0;
      if (!starts && phase.kind !== "stopping") return state;
      if (phase.kind === "stopping") tool?.asked.answer(toolResult("stopped"));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    settled,
    proceed: async (how: keyof typeof MODEL): Promise<void> => {
      const { phase } = await settled();
      if (phase.kind === "thinking") model?.asked.answer(MODEL[how]);
      if (phase.kind === "running") tool?.asked.answer(toolResult("done"));
      if (phase.kind === "awaitingApproval") {
        const question = (await world.bot.read(id))?.question?.wire ?? "";
        await world.bot.act(id, { kind: "decide", question, choice: "deny", by: operator, comment: null });
      }
      await new Promise((resolve) => setImmediate(resolve));
      await settled();
    },
  };
};

interface Edited {
  readonly key: string;
  readonly text: string;
  readonly isAccepted: boolean;
}

const play = async (all: readonly Step[]) => {
  const world = createWorld();
  const id = await world.begin();
  const work = createWork(world, id);
  const edits: Edited[] = [];
  const latest = new Map<number, string>();
  let words = 0;
  let said = 0;
  const next = (): string => `word${(words += 1)}.`;

  for (const step of all) {
    await work.settled();
    if (!("who" in step)) {
      if (step.kind === "stop") await world.bot.act(id, { kind: "stop", by: operator.id });
      else await work.proceed(step.kind);
      continue;
    }
    const speaker = SPEAKERS[step.who];
    if (speaker === undefined) throw new Error("nobody");
    if (step.kind === "say") {
      const key = `message/${(said += 1)}`;
      latest.set(step.who, key);
      const source = String(said);
      await world.bot.say({
        surface: "slack",
        id: key,
        conversation: id,
        speaker,
        text: next(),
        images: [],
        source,
      });
      continue;
    }
    const key = latest.get(step.who);
    if (key === undefined) continue;
    const claim = { surface: "slack", id: key };
    if (step.kind === "edit") {
      const text = next();
      const outcome = await world.bot.act(id, { kind: "edit", claim, text, speaker });
      expect([{ kind: "done" }, { kind: "refused", why: "stale" }]).toContainEqual(outcome);
      edits.push({ key, text, isAccepted: outcome.kind === "done" });
      continue;
    }
    const refused = world.bot.refusedClaim(claim);
    if (refused !== null) await world.bot.act(id, { ...refused, kind: step.kind, speaker, claim });
  }
  for (let rest = 0; rest < 200 && !isTurnOver((await work.settled()).phase); rest += 1)
    await work.proceed("answer");
  return { world, id, edits };
};

it("each edit has one outcome: its own turn reads its words once, or a refused message has them, or nothing changes", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { world, id, edits } = await play(all);
      const read = world.store
        .history(id, 0)
        .flatMap(({ entry, words }) => (entry.kind === "said" && words?.kind === "said" ? [words.text] : []))
        .map((text) => /(?:^|New: |\n)(word\d+\.)$/.exec(text)?.[1] ?? text);
      const turns = new Map(
        world.store
          .history(id, 0)
          .flatMap(({ entry }) => (entry.kind === "said" ? [[entry.message, entry] as const] : [])),
      );
      for (const key of new Set(edits.map((one) => one.key))) {
        const placed = world.store
          .versions({ surface: "slack", id: key })
          .flatMap(({ message }) => turns.get(message ?? "m-") ?? []);
        const own = placed.filter(({ edited }) => edited !== true).map(({ turn }) => turn);
        for (const { edited, turn } of placed) if (edited === true) expect(own).toContain(turn);
      }
      const times = (text: string): number => read.filter((one) => one === text).length;
      for (const [index, { key, text, isAccepted }] of edits.entries()) {
        expect(times(text)).toBeLessThanOrEqual(isAccepted ? 1 : 0);
        const isNewest = !edits.slice(index + 1).some((one) => one.key === key && one.isAccepted);
        if (!isAccepted || !isNewest) continue;
        const kept = world.bot.refusedClaim({ surface: "slack", id: key })?.text;
        expect([times(text), kept === text]).toEqual(kept === undefined ? [1, false] : [0, true]);
      }
    }),
    { numRuns: 60 },
  );
});
