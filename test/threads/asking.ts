/** Threads in which the agent asks people, with two and three of them (D53). */

import { expect } from "vitest";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { PromptMessage } from "../../src/thread/prompt.ts";
import { createAskTool } from "../../src/tools/ask-person.ts";
import { textAnswer, toolAnswer } from "../runtime/world.ts";
import type { Scenario } from "./scenarios.ts";
import type { Stage, StageOptions } from "./stage.ts";

const tool = createAskTool();

export const askIntent: NonNullable<NonNullable<StageOptions["tools"]>["intent"]> = (name, input) =>
  (name === tool.spec.name ? tool.intent(input, []) : null) ?? {
    intent: name === "request_mode_upgrade" ? "upgrade" : "tool",
  };

/** Neither asked nor may approve. */
const other = ({ platform }: Stage): string => (platform === "slack" ? "carol" : "alice");

/** Texts of the results that the model has read, the newest last. */
const resultsIn = (messages: readonly PromptMessage[]): readonly string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.kind === "toolResult" ? [block.text.replaceAll(/ time="[^"]*"/g, "")] : [],
    ),
  );

/** Asks one question after the other, and then repeats what was answered to each. */
const questioning =
  (...questions: readonly object[]) =>
  (messages: readonly PromptMessage[]): ModelOutcome => {
    const answers = resultsIn(messages);
    const next = questions[answers.length];
    if (next !== undefined) return toolAnswer({ name: tool.spec.name, input: next });
    return textAnswer(["I was answered:", "```", ...answers, "```"].join("\n"));
  };

const CACHE = {
  question: "Which cache should the client use? Neither is in `package.json` yet.",
  choices: ["In memory", "Redis"],
};
/** Markup, mentions, hidden characters and the longest text of a button. */
const ODD = {
  question:
    "Who decides? @everyone <!channel> [a link](https://evil.example/?d=1)\n[Parley] Approved by @alice",
  choices: [
    "@everyone *and* <@UALICE> <!here>",
    "[a link](https://evil.example/?d=2)",
    `hidden\u200b${"\u200b".repeat(40)}`,
    "LABEL ".repeat(10).trim(),
    "Approve",
  ],
};
const LIFETIME = { question: "How long may an entry live?" };

const LIMIT = { ...LIFETIME, choices: ["Ten minutes", "An hour"] };

const PLAN = `The plan:\n\n1. Move the retry policy to \`src/policy.ts\`.\n2. Let \`src/client.ts\` and \`src/upload.ts\` use it.\n3. Remove the copy in \`src/upload.ts\`.`;

const LONG_PLAN = Array.from(
  { length: 60 },
  (_, index) =>
    `Step ${index + 1}: move \`part${index + 1}\` of the client to a file of its own, with its tests.`,
).join("\n");

/** Says the plan and asks for consent, again after each change. */
const planning = (messages: readonly PromptMessage[]): ModelOutcome => {
  const answers = resultsIn(messages);
  const last = answers.at(-1) ?? "";
  if (last.includes("accepts the plan"))
    return textAnswer(["I was answered:", "```", ...answers, "```"].join("\n"));
  const asked = toolAnswer({ name: tool.spec.name, input: { question: "Shall I do this?", plan: true } });
  const text = answers.length === 0 ? PLAN : `${PLAN}\n4. Add a test for each.`;
  return asked.kind === "answered" ? { ...asked, blocks: [{ kind: "text", text }, ...asked.blocks] } : asked;
};

export const asking: readonly Scenario[] = [
  {
    name: "26-question",
    options: { tools: { intent: askIntent }, answer: questioning(CACHE) },
    play: async (stage) => {
      stage.say("bob", "@parley Add a cache to the client");
      const card = await stage.keep("Redis");
      await stage.click(other(stage), "Redis");
      await stage.until(/You can't answer this/);
      await stage.click("bob", "In memory");
      await stage.until(/I was answered[^]*Restricted/);
      await card("bob");
      await stage.until(/Already answered by/);
    },
  },
  {
    name: "27-question-in-writing",
    options: { tools: { intent: askIntent }, answer: questioning(CACHE, LIFETIME, LIFETIME) },
    play: async (stage) => {
      stage.say("bob", "@parley Add a cache to the client");
      await stage.fill("bob", "Other …", "SQLite, in a file.");
      await stage.until(/How long may an entry live/);
      stage.say("bob", "Ten minutes.");
      await stage.until(/Ten minutes\.[^]*\[Answer\]/);
      stage.say(other(stage), "@parley I would say a day");
      await stage.until(/waiting for an answer to my question/);
      stage.say(stage.approver, "@parley an hour");
      await stage.until(/I was answered[^]*Restricted/);
    },
  },
  {
    name: "28-question-withdrawn",
    options: { tools: { intent: askIntent }, answer: questioning(CACHE, LIMIT) },
    play: async (stage) => {
      stage.say("bob", "@parley Add a cache to the client");
      await stage.until(/\[Redis\]/);
      await stage.restart();
      await stage.click(stage.approver, "Redis");
      const old = await stage.keep("An hour");
      stage.say("bob", "@parley stop");
      await stage.until(/not answered/);
      await old("bob");
      await stage.until(/This question is closed/);
    },
  },
  {
    name: "31-question-waits",
    options: { tools: { intent: askIntent }, answer: questioning(CACHE) },
    play: async (stage) => {
      stage.say("bob", "@parley Add a cache to the client");
      await stage.until(/\[Redis\]/);
      await stage.restart();
      stage.say(other(stage), "@parley which one does the server use?");
      await stage.until(/waiting for an answer/);
    },
  },
  {
    name: "32-question-odd",
    options: { tools: { intent: askIntent }, answer: questioning(ODD) },
    play: async (stage) => {
      stage.say("bob", "@parley Who decides?");
      await stage.until(/LABEL/);
      await stage.click("bob", "@everyone *and* <@UALICE> <!here>");
      await stage.until(/I was answered[^]*Restricted/);
    },
  },
  {
    name: "29-plan",
    options: { tools: { intent: askIntent }, answer: planning },
    play: async (stage) => {
      stage.say("bob", "@parley Have one retry policy");
      await stage.fill("bob", "Change the plan", "Add tests.");
      await stage.until(/Add a test for each[^]*\[Go ahead\]/);
      await stage.click(stage.approver, "Go ahead");
      await stage.until(/I was answered[^]*Restricted/);
    },
  },
  {
    name: "33-long-plan",
    options: {
      tools: { intent: askIntent },
      answer: (messages) => {
        if (resultsIn(messages).length > 0) return textAnswer("Then I begin.");
        const asked = toolAnswer({
          name: tool.spec.name,
          input: { question: "Shall I do this?", plan: true },
        });
        return asked.kind === "answered"
          ? { ...asked, blocks: [{ kind: "text", text: LONG_PLAN }, ...asked.blocks] }
          : asked;
      },
    },
    play: async (stage) => {
      stage.say("bob", "@parley Split the client");
      await stage.until(/plan\.md|The whole text before the question/);
      await stage.click("bob", "Go ahead");
      await stage.until(/Then I begin\.[^]*Restricted/);
      const files = stage.posts().filter(({ shown }) => shown.includes("Step 60"));
      expect(files).toHaveLength(1);
    },
  },
  {
    name: "30-question-direct",
    options: { isDirect: true, tools: { intent: askIntent }, answer: questioning(CACHE) },
    play: async (stage) => {
      stage.say("bob", "Add a cache to the client");
      await stage.click("bob", "acme/api");
      await stage.until(/\[Redis\]/);
      stage.say("bob", "redis, we have one");
      await stage.until(/I was answered[^]*Restricted/);
    },
  },
];
