/** A week on Slack: maintainers read it in a closed channel of theirs, and what is closed elsewhere is in no other channel. */

import { expect, it } from "vitest";
import { textAnswer } from "../../runtime/world.ts";
import { nextMonday } from "./next-monday.ts";
import { told } from "../../adapters/rig.ts";
import { createRig, type SlackRig } from "../../adapters/slack/rig.ts";

const CHANNELS = [
  { name: "general" },
  { name: "maintainers", isPrivate: true },
  { name: "secret", isPrivate: true },
] as const;

/** Asks in a thread of its own; answers the answer's id. */
const ask = async (rig: SlackRig, channel: string, question: string, audience: "public" | "private") => {
  const root = rig.fake.as("alice").say(`@parley ${question}`, { channel });
  await rig.thread(root, /Answer \d+\. See/);
  const conversation = rig.ledger.find("slack", root.channel, root.ts)?.conversation;
  const answer = rig.opened.answers
    .answersPage(0, null, 10_000)
    .find((one) => one.conversation === conversation);
  if (answer === undefined) throw new Error("it is not kept");
  await rig.opened.answers.setAudience(answer, audience);
  return answer;
};

const command = async (rig: SlackRig, channel: string, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, channel);
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const inChannel = ({ fake }: SlackRig, channel: string): string =>
  JSON.stringify(fake.world.messages(channel).filter(({ threadTs }) => threadTs === undefined));

it("is told where maintainers want it, with their own closed questions and no others'; one press drafts the page, once", async () => {
  let n = 0;
  const rig = await createRig({
    fake: { channels: CHANNELS },
    bound: ["CGENERAL", "GMAINTAINERS", "GSECRET"],
    answer: () => textAnswer(`Answer ${(n += 1)}. See src/cart.ts:3.`),
  });
  const [, maintainers = "", secret = ""] = CHANNELS.map(({ name }) => rig.fake.world.channelNamed(name).id);
  expect(await command(rig, "general", `digest on <#${maintainers}|maintainers>`)).toContain("Every Monday");
  expect(await command(rig, "general", "digest on <#C0NOWHERE|x>")).toContain("I cannot see that channel");
  expect(await command(rig, "general", "digest on")).toContain("Every Monday");
  const disliked = await ask(rig, "general", "how is the cart total rounded?", "public");
  await ask(rig, "general", "is the cart total in cents?", "public");
  await ask(rig, "maintainers", "who owns the cart total?", "private");
  await ask(rig, "secret", "what does the hidden cart total cost?", "private");
  const vote = { ...disliked, person: "slack:U7", click: "1", at: 1 } as const;
  await rig.opened.feedback.explain(vote, "It names the wrong file.");
  expect(await command(rig, "general", "digest now")).toMatch(
    /: 2 in one channel\.[^]*It names the wrong file/,
  );

  const failed = { kind: "failed", code: "io", message: "gone" } as const;
  await nextMonday({ opened: rig.opened, surface: rig.slack, putDigest: () => Promise.resolve(failed) });
  const next = await rig.restart();
  await nextMonday({ opened: next.opened, surface: next.slack });
  const own = inChannel(rig, maintainers);
  expect(own.match(/Questions in the week of/g)).toHaveLength(2);
  expect(own).toContain(": 3 in 2 channels.");
  expect(own).toContain("how is the cart total rounded? – It names the wrong file.");
  const open = inChannel(rig, "CGENERAL");
  expect(open).toContain(": 2 in one channel.");
  for (const text of [own, open]) expect(text).not.toContain("hidden");
  expect(open).not.toContain("who owns");
  expect(inChannel(rig, secret)).not.toContain("Questions in the week");

  const card = rig.fake.world
    .messages(maintainers)
    .find(({ blocks }) => JSON.stringify(blocks ?? []).includes("parley_page"));
  const at = { channel: maintainers, ts: card?.ts ?? "" };
  rig.fake.as("alice").click(at, "Draft the page");
  await expect.poll(() => next.asked.length).toBe(1);
  rig.fake.as("alice").click(at, "Draft the page");
  expect(told(next.asked[0])).toMatch(
    /questions about "cart total" had no documentation page\. Draft that page\.[^]*/,
  );
  expect(told(next.asked[0])).toMatch(/<untrusted-quote author="somebody who asked"/);
  expect(rig.fake.violations).toEqual([]);
});
