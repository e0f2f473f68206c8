/**
 * D52 An edit in each phase, as the people of the thread read it. Recorded anew by `npx vitest run test/threads/edited.test.ts -u`;
 * read them line by line.
 */

import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { FULL, fills } from "../adapters/filling.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { repeating, UPGRADE } from "./scenarios.ts";
import { discordStage, slackStage, type Stage, type StageOptions } from "./stage.ts";

const QUESTION = "@parley Is retry.ts used?";
const EDITED = "@parley Is backoff.ts used?";

/** What a model or a tool waits for. */
const createGate = () => {
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    open: free.resolve,
    passed: async <T>(value: T): Promise<T> => {
      begun.resolve();
      await free.promise;
      return value;
    },
  };
};

const words = (messages: readonly PromptMessage[]): string =>
  messages
    .flatMap(({ content }) => content.flatMap((one) => (one.kind === "text" ? [one.text] : [])))
    .join("\n");

interface Played {
  readonly options: StageOptions;
  readonly play: (stage: Stage) => Promise<void>;
}

const ANSWERED = /retry\.ts used\?\n```\n(-# )?Restricted/;
const again = /Answer again/;

const DOWN: ModelOutcome = {
  kind: "failed",
  failure: { kind: "billing", message: "The provider's credit is used up.", retryAfter: null },
};

const SCENES: Readonly<Record<string, () => Played>> = {
  "after-the-answer": () => ({
    options: { answer: repeating },
    play: async (stage) => {
      stage.say("bob", QUESTION);
      await stage.until(ANSWERED);
      await stage.edit("bob", "@parley Is jitter.ts used?");
      await stage.edit("bob", EDITED);
      await stage.until(again);
      await stage.click("bob", "Answer again");
      await stage.until(/told:\n```\nIs backoff\.ts used\?/);
    },
  }),
  thinking: () => {
    const gate = createGate();
    return {
      options: {
        answer: (messages, no) => (no === 1 ? gate.passed(textAnswer("It is used.")) : repeating(messages)),
      },
      play: async (stage) => {
        stage.say("bob", QUESTION);
        await gate.begun;
        for (const name of ["a", "b", "c"]) await stage.edit("bob", `@parley Is ${name}.ts used?`);
        await stage.edit("bob", EDITED);
        gate.open();
        await stage.until(/edited the message[^]*Restricted/);
      },
    };
  },
  running: () => {
    const gate = createGate();
    return {
      options: {
        tools: { run: () => gate.passed(toolResult("3 matches")) },
        answer: (messages, no) =>
          no === 1 ? toolAnswer({ name: "bash", input: { command: "grep retry" } }) : repeating(messages),
      },
      play: async (stage) => {
        stage.say("bob", QUESTION);
        await gate.begun;
        await stage.edit("bob", EDITED);
        gate.open();
        await stage.until(/edited the message[^]*Restricted/);
      },
    };
  },
  "awaiting-approval": () => ({
    options: { answer: (messages, no) => (no === 1 ? toolAnswer(UPGRADE) : repeating(messages)) },
    play: async (stage) => {
      stage.say(stage.approver, "@parley Add a line to README.md");
      await stage.until(/Approve/);
      await stage.edit(stage.approver, "@parley Add a line to CHANGES.md");
      await stage.click(stage.approver, "Approve");
      await stage.until(/edited the message[^]*CHANGES/);
    },
  }),
  "refused-message": () => {
    const gate = createGate();
    return {
      options: {
        answer: (messages, no) => (no === 2 ? gate.passed(textAnswer("In src.")) : repeating(messages)),
      },
      play: async (stage) => {
        stage.say("bob", QUESTION);
        await stage.until(ANSWERED);
        stage.say("bob", "@parley And where is it used?");
        await gate.begun;
        stage.say("alice", "@parley And by whom?");
        await stage.until(/Stop and send this/);
        await stage.edit("alice", "@parley And since when?");
        await stage.click("alice", "Stop and send this");
        await stage.until(/told:\n```\n[^`]*And since when\?/);
        gate.open();
      },
    };
  },
  failed: () => ({
    options: { answer: (messages, no) => (no === 1 ? DOWN : repeating(messages)) },
    play: async (stage) => {
      stage.say("bob", QUESTION);
      await stage.until(/Try again/);
      await stage.edit("bob", EDITED);
      await stage.until(again);
      await stage.click("bob", "Answer again");
      await stage.until(/backoff\.ts used\?\n```/);
    },
  }),
  exhausted: () => ({
    options: { answer: fills(FULL) },
    play: async (stage) => {
      stage.say("bob", QUESTION);
      await stage.until(/Start empty/);
      await stage.edit("bob", EDITED);
      await stage.until(/Context exhausted/);
    },
  }),
  "added-mention": () => ({
    options: { answer: repeating },
    play: async (stage) => {
      stage.say("bob", QUESTION);
      await stage.until(ANSWERED);
      stage.say("alice", "@parley and where?");
      await stage.until(/and where\?\n```\n(-# )?Restricted/);
      const third = stage.platform === "slack" ? "carol" : "maria";
      stage.say(third, "And who wrote it?");
      await stage.until(/I only read messages that mention/);
      await stage.edit(third, "@parley And who wrote it?");
      await stage.until(/And who wrote it\?\n```\n(-# )?Restricted/);
    },
  }),
  "other-person": () => {
    const gate = createGate();
    return {
      options: {
        answer: (messages) =>
          words(messages).includes("and where?") ? gate.passed(repeating(messages)) : repeating(messages),
      },
      play: async (stage) => {
        stage.say("bob", QUESTION);
        await stage.until(ANSWERED);
        stage.say("alice", "@parley and where?");
        await gate.begun;
        await stage.edit("bob", EDITED);
        await stage.until(again);
        // Nobody else sees the offer on Slack.
        if (stage.platform === "discord") await stage.click("alice", "Answer again", "bob");
        gate.open();
        await stage.until(/and where\?\n```\n(-# )?Restricted/);
      },
    };
  },
};

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  it.each(Object.keys(SCENES))("%s reads as people read it", async (name) => {
    const played = SCENES[name]?.();
    if (played === undefined) throw new Error("there is no such scene");
    const stage = await open(played.options);
    await played.play(stage);
    await expect(await stage.story()).toMatchFileSnapshot(`golden/edited-${name}.${platform}.txt`);
  });
});
