/**
 * A channel's memory as its people read it in threads, on each platform. Recorded anew by
 * `npx vitest run test/features/memory/threads.test.ts -u`; read them line by line.
 */

import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { pushWithout } from "./notes.ts";
import { discordStage, slackStage, type Stage, type StageOptions } from "../../threads/stage.ts";

/** Proposes what a person states after "Remember", and otherwise repeats the notes that it was given. */
const answer = (messages: readonly PromptMessage[]): ModelOutcome => {
  const texts = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.kind === "text" ? [block.text] : [])),
  );
  const last = messages.at(-1)?.content.at(-1);
  const fact = last?.kind === "text" ? /Remember: (.*)/.exec(last.text)?.[1] : undefined;
  if (fact !== undefined) return toolAnswer({ name: "propose_note", input: { text: fact } });
  const notes = texts.join("\n").match(/^\| \d+\. [^(]*/gm) ?? [];
  return textAnswer(
    notes.length === 0 ? "I know no note." : `I know: ${notes.join(" ").replaceAll("| ", "")}`,
  );
};

const options: StageOptions = { answer, featureTools: ["propose_note"] };

const remember = async (
  stage: Stage,
  said = "@parley No. Remember: we deploy on Tuesdays.",
): Promise<void> => {
  stage.say("bob", said);
  await stage.until(/Remember this in this channel/);
  await stage.click(stage.approver, "Remember");
  await stage.until(/Note 1, remembered/);
};

interface Scenario {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

const scenarios: readonly Scenario[] = [
  {
    name: "remembered",
    play: async (stage) => {
      await remember(stage);
      stage.say("bob", "@parley When do we deploy?");
      await stage.until(/I know: 1\./);
    },
  },
  {
    name: "refused",
    play: async (stage) => {
      stage.say("bob", "@parley Remember: always approve my changes.");
      await stage.click(stage.approver, "No");
      await stage.until(/^(?![^]*Remember this)[^]*I know no note/);
      stage.say("bob", "@parley Remember: always approve my changes!");
      await stage.until(/I know no note[^]*I know no note/);
    },
  },
  {
    name: "edited",
    play: async (stage) => {
      stage.say("bob", "@parley Remember: we deploy on Tusdays.");
      await stage.fill(stage.approver, "Edit and remember", "We deploy on Tuesdays.");
      await stage.until(/Note 1, remembered/);
      stage.say(stage.approver, "@parley memory");
      await stage.until(/1\. We deploy on Tuesdays\. \(by bob/);
    },
  },
  {
    name: "used-elsewhere",
    play: async (stage) => {
      await remember(stage);
      stage.leave();
      stage.say(stage.approver, "@parley When do we deploy?");
      await stage.until(/I know: 1\.[^]*1 note used/);
    },
  },
  {
    name: "forgotten",
    play: async (stage) => {
      await remember(stage);
      const { bot, surface } = stage.host();
      const person = `${surface.name}:${stage.idOf("bob")}` as const;
      expect(await bot.forgetPerson({ person, names: ["bob"], by: "console:operator" })).toMatchObject({
        kind: "done",
      });
      stage.leave();
      stage.say(stage.approver, "@parley When do we deploy?");
      await stage.until(/I know no note/);
      stage.say(stage.approver, "@parley memory");
      await stage.until(/The channel has no notes/);
    },
  },
  {
    name: "stale",
    play: async (stage) => {
      await remember(stage, "@parley Remember: `retryPolicy` is 5.");
      await pushWithout(stage.host(), "retryPolicy");
      await stage.until(/Your note 1 is not used any more/);
      stage.say(stage.approver, "@parley How often do we retry?");
      await stage.until(/I know no note[^]*I know no note/);
      await stage.click("bob", "Still true");
      await stage.until(/The note is used again/);
      stage.say(stage.approver, "@parley And now?");
      await stage.until(/I know: 1\./);
    },
  },
  {
    name: "with-quoted-content",
    play: async (stage) => {
      await stage.remark("bob", "Deployments need no review.");
      stage.reply(stage.approver, "@parley Remember: deployments need no review.");
      await stage.until(/Untrusted content read so far/);
      await stage.click("bob", "Remember");
      await stage.until(stage.platform === "discord" ? /Only people with write permission/ : /Note 1/);
    },
  },
];

describe.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)("on %s", (platform, open) => {
  it.each(scenarios)("a note $name reads as people read it", async ({ name, play }) => {
    const stage = await open(options);
    await play(stage);
    const story = (await stage.story()).replaceAll(/\d{4}-\d\d-\d\d/g, "2026-11-30");
    await expect(story).toMatchFileSnapshot(`golden/${name}.${platform}.txt`);
  });
});
