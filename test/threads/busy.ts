/** Scenarios of messages that people send while Parley works (D51). The turn waits in its first command until the play goes on. */

import type { PromptMessage } from "../../src/thread/prompt.ts";
import { textAnswer, toolAnswer, toolResult } from "../runtime/world.ts";
import { FULL, fills } from "../adapters/filling.ts";
import type { Scenario } from "./scenarios.ts";
import type { Stage, StageOptions } from "./stage.ts";

const LOOK = { name: "bash", input: { command: "cat src/retry.ts" } };

/** What the model was told so far besides results of tools, line by line. */
const told = (messages: readonly PromptMessage[]): readonly string[] =>
  messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      content.flatMap((block) => (block.kind === "text" ? block.text.split("\n") : [])),
    )
    .filter(
      (line) =>
        line !== "" && !/^(Repository|Commit|Working directory):|works on a checkout of its own/.test(line),
    )
    .map((line) => line.replace(/ time="[^"]*"/, ""));

/** The first turn runs a command that ends with `goOn`; each answer says what the model has read so far. */
const held = () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const options: StageOptions = {
    isCrowd: true,
    patience: 0,
    tools: {
      run: async () => {
        await gate.promise;
        return toolResult("five tries");
      },
    },
    answer: (messages) => {
      calls += 1;
      return calls === 1
        ? toolAnswer(LOOK)
        : textAnswer(["I have read:", "```", ...told(messages), "```"].join("\n"));
    },
  };
  return { options, goOn: gate.resolve };
};

/** The model calls a tool first. The next response fills the context. */
const lookThenFull = () => {
  const full = fills(FULL);
  return (messages: readonly PromptMessage[]) =>
    messages.some(({ role }) => role === "assistant") ? full(messages) : toolAnswer(LOOK);
};

const nothing = (): void => undefined;

/** Each run has a turn of its own. */
const scenario = (
  name: string,
  play: (stage: Stage, goOn: () => void) => Promise<void>,
  more: StageOptions = {},
): Scenario => {
  let goOn = nothing;
  return {
    name,
    options: {},
    beside: () => {
      const one = held();
      goOn = () => one.goOn();
      return Promise.resolve({ ...one.options, ...more });
    },
    play: (stage) => play(stage, () => goOn()),
  };
};

const asked = async (stage: Stage): Promise<void> => {
  stage.say("bob", "@parley Where is the retry policy?");
  await stage.until(/Still working/);
};

/** The turn is over, and nothing shows it as running. */
const ended = (stage: Stage, wanted: RegExp): Promise<void> =>
  stage.until(new RegExp(`^(?![^]*(?:Still working|plan:|Stopping))[^]*${wanted.source}`));

export const busyScenarios: readonly Scenario[] = [
  scenario("26-added", async (stage, goOn) => {
    await asked(stage);
    stage.say("carol", "@parley Only the client counts.");
    await stage.click("carol", "Add to this turn");
    await stage.until(/read your message before/);
    goOn();
    await ended(stage, /I have read[^]*Restricted/);
  }),
  scenario("27-waiting", async (stage, goOn) => {
    await asked(stage);
    stage.say("carol", "@parley And who uses it?");
    await stage.click("carol", "Send when done");
    await stage.until(/Your message waits/);
    stage.say("dave", "@parley Is it tested?");
    await stage.click("dave", "Send when done");
    await stage.until(/2 messages wait/);
    await stage.click("dave", "Remove");
    await stage.until(/no longer waits[^]*1 message waits|1 message waits[^]*no longer waits/);
    goOn();
    await ended(stage, /I have read[^]*I have read[^]*who uses it/);
  }),
  scenario("28-stop-and-send", async (stage) => {
    await asked(stage);
    stage.say("carol", "@parley Never mind that: is it tested?");
    await stage.click("carol", "Stop and send this");
    await ended(stage, /Stopped by[^]*I have read/);
  }),
  scenario("29-five-people", async (stage, goOn) => {
    await asked(stage);
    stage.say("carol", "@parley Only the client counts.");
    await stage.click("carol", "Add to this turn");
    await stage.until(/read your message before/);
    for (const [who, text] of [
      ["dave", "@parley Is it tested?"],
      ["erin", "@parley Who wrote it?"],
      [stage.approver, "@parley Can it be shorter?"],
    ] as const) {
      stage.say(who, text);
      await stage.click(who, "Send when done");
      await stage.until(
        new RegExp(`^(?=[^]*waits?, from.*@${who})[^]*to @${who} alone:\nYour message waits`),
      );
    }
    stage.say(stage.approver, "@parley status");
    await stage.click(stage.approver, "Remove @dave's message");
    await stage.until(/@\w+ removed your waiting message/);
    goOn();
    await ended(stage, /I have read[^]*I have read[^]*I have read[^]*shorter/);
  }),
  scenario("30-restarted", async (stage) => {
    await asked(stage);
    stage.say("carol", "@parley Is it tested?");
    await stage.click("carol", "Send when done");
    await stage.until(/1 message waits/);
    await stage.restart();
    await ended(stage, /I was restarted[^]*I have read[^]*tested/);
  }),
  scenario("31-deleted", async (stage, goOn) => {
    await asked(stage);
    stage.say("carol", "@parley Is it tested?");
    await stage.click("carol", "Send when done");
    await stage.until(/1 message waits/);
    stage.unsay("carol");
    await stage.until(/^(?![^]*1 message waits)/);
    goOn();
    await ended(stage, /I have read[^]*Restricted/);
  }),
  scenario(
    "32-waits-by-itself",
    async (stage, goOn) => {
      await asked(stage);
      stage.say(stage.approver, "@parley And who uses it?");
      await stage.until(/Your message waits[^]*1 message waits|1 message waits[^]*Your message waits/);
      goOn();
      await ended(stage, /I have read[^]*I have read[^]*who uses it/);
    },
    { env: { PARLEY_BUSY: "wait" } },
  ),
  scenario(
    "33-added-by-itself",
    async (stage, goOn) => {
      await asked(stage);
      stage.say(stage.approver, "@parley Only the client counts.");
      await stage.until(/read your message before/);
      goOn();
      await ended(stage, /I have read[^]*Restricted/);
    },
    { env: { PARLEY_BUSY: "add" } },
  ),
  scenario(
    "34-waits-for-a-full-context",
    async (stage, goOn) => {
      await asked(stage);
      stage.say("carol", "@parley Is it tested?");
      await stage.click("carol", "Send when done");
      await stage.until(/1 message waits/);
      goOn();
      await ended(stage, /Start empty[^]*Context exhausted/);
    },
    { answer: lookThenFull() },
  ),
];
