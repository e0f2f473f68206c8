/** A community's session in a forum post, as everybody reads it. */

import { expect, it } from "vitest";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { told } from "../rig.ts";
import { createRig } from "./rig.ts";
import { timeless } from "../../timeless.ts";

const upgrade = toolAnswer({
  id: "t1",
  name: "request_mode_upgrade",
  input: { reason: "To correct the port in config.ts." },
});

it("a question, a follow-up, a change, a stranger's click and a maintainer's approval after a restart", async () => {
  const answers = [
    textAnswer("The port is read in `config.ts:3`."),
    textAnswer("Yes: 8787 is the default."),
    upgrade,
  ];
  const rig = await createRig({
    answer: (messages) =>
      told(messages).includes("Correct it") && messages.at(-1)?.content[0]?.kind === "toolResult"
        ? textAnswer("Corrected in `config.ts`.")
        : (answers.shift() ?? textAnswer("?")),
  });
  const { fake } = rig;
  const post = fake.as("alice").ask("help", { name: "Port", text: "Where is the port read, @parley?" });
  await rig.reads(post.channel, /config\.ts:3[^]*tricted[^·\n]* · [[`<]/);
  fake.as("bob").say(post.channel, "@parley is there a default?");
  await rig.reads(post.channel, /8787[^]*tricted[^·\n]* · [[`<]/);
  fake.as("maria").say(post.channel, "@parley Correct it.");
  await rig.reads(post.channel, /\[Approve\] \[Deny\]/);
  const question = fake.world
    .messages(post.channel)
    .find(({ components }) => JSON.stringify(components).includes("Approve"));
  const at = { channel: post.channel, id: question?.id ?? "" };
  fake.as("bob").click(at, "Approve");
  await rig.reads(post.channel, /only for @bob/);
  const next = await rig.restart();
  fake.as("maria").click(at, "Approve");
  const text = await next.reads(
    post.channel,
    /approved\*\* by @maria[^]*Corrected[^]*tricted[^·\n]* · [[`<]/,
  );
  expect(timeless(text)).toMatchSnapshot();
  expect(fake.violations).toEqual([]);
});
