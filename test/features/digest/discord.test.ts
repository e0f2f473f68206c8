/** A week on Discord: told once in the channel that wants it, with what people said of answers, and a page drafted from it. */

import { expect, it } from "vitest";
import { textAnswer } from "../../runtime/world.ts";
import { nextMonday } from "./next-monday.ts";
import { told } from "../../adapters/rig.ts";
import { createRig, type DiscordRig } from "../../adapters/discord/rig.ts";

const cards = ({ fake }: Pick<DiscordRig, "fake">, place: string) =>
  fake.world
    .messages(place)
    .filter(({ components }) => JSON.stringify(components).includes("Questions in the week"));

/** Asks in a thread of its own, which everybody can read; answers the answer's id. */
const ask = async (
  rig: DiscordRig,
  channel: string,
  question: string,
  audience: "public" | "private" = "public",
) => {
  const { id: thread } = rig.fake.as("bob").say(channel, `@parley ${question}`);
  await rig.reads(thread, /Answer \d+\. See/);
  const place = rig.fake.world.channelNamed(channel).id;
  const conversation = rig.ledger.find("discord", place, thread)?.conversation;
  const answer = rig.opened.answers
    .answersPage(0, null, 10_000)
    .find((one) => one.conversation === conversation);
  if (answer === undefined) throw new Error("it is not kept");
  await rig.opened.answers.setAudience(answer, audience);
  return answer;
};

it("is told on Monday, once, with a reason for a thumb down; private channels and names are in none of it", async () => {
  let n = 0;
  const rig = await createRig({
    bound: ["general", "other"],
    answer: () => textAnswer(`Answer ${(n += 1)}. See src/cart.ts:3.`),
  });
  const { fake, opened } = rig;
  const { id: place } = fake.world.channelNamed("general");
  expect(await rig.run("bob", "general", "parley digest", {})).toContain("The weekly digest is not posted");
  expect(await rig.run("bob", "general", "parley digest", { change: "on" })).toContain("Only host approvers");
  expect(await rig.run("maria", "general", "parley digest", { change: "on" })).toContain("Every Monday");
  const disliked = await ask(rig, "general", "how is the cart total rounded?");
  await ask(rig, "general", "why is the cart slow?");
  await ask(rig, "other", "where is the cart kept?");
  await ask(rig, "other", "the hidden matter of the cart", "private");
  const vote = {
    conversation: disliked.conversation,
    message: disliked.message,
    person: "discord:7",
    click: "1",
    at: 1,
  } as const;
  await opened.feedback.explain(vote, "It names the wrong file.");

  // The process ends after Discord has taken it and before that is noted.
  const failed = { kind: "failed", code: "io", message: "gone" } as const;
  await nextMonday({ opened, surface: rig.discord, putDigest: () => Promise.resolve(failed) });
  const next = await rig.restart();
  const again = { opened, surface: next.discord };
  await nextMonday(again);
  await nextMonday(again);
  expect(cards(rig, place)).toHaveLength(1);
  const text = fake.asText(place);
  expect(text).toMatch(/Questions in the week of \d{4}-\d\d-\d\d: 3 in 2 channels\. 3 answered/);
  expect(text).toContain("how is the cart total rounded? – It names the wrong file.");
  expect(text).toContain("A documentation page is missing: 3 questions");
  expect(text).not.toMatch(/hidden matter|@?bob.*asked/);
  expect(fake.violations).toEqual([]);

  const [card] = cards(rig, place);
  const at = { channel: place, id: card?.id ?? "" };
  fake.as("bob").click(at, "Draft the page");
  await next.reads(place, /Only approvers can start the draft of a page/);
  fake.as("maria").click(at, "Draft the page");
  await expect.poll(() => next.asked.length).toBe(1);
  const task = told(next.asked[0]);
  expect(task).toContain('questions about "cart" had no documentation page. Draft that page.');
  expect(task).toMatch(/<untrusted-quote author="somebody who asked"[^]*\| how is the cart total rounded\?/);
  const [drafting] = next.store.list(1, null);
  expect(drafting?.conversation.createdBy).toBe(`discord:${fake.world.userNamed("maria").id}`);
  expect(fake.violations).toEqual([]);
});
