/** Answers that maintainers look at first, on Discord: held in a public server, and posted once, as they say. */

import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import { DAY } from "../../../src/machine/id.ts";
import { textAnswer } from "../../runtime/world.ts";
import { inPieces, OFTEN } from "../../adapters/rig.ts";
import { createRig, type DiscordRig, type RigOptions } from "../../adapters/discord/rig.ts";

const ANSWER = "The cart is emptied in src/cart.ts:12. @everyone look [here](https://evil.example).";
const guild = {
  name: "Community",
  channels: [{ name: "general" }, { name: "team" }, { name: "help", kind: "forum" as const }],
  members: [
    { name: "bob" },
    { name: "maria", roles: ["maintainer"] },
    { name: "mark", roles: ["maintainer"] },
  ],
};

const reviewed = async (options: RigOptions = {}) => {
  const rig = await createRig({
    fake: { guilds: [guild] },
    patience: 0,
    stream: inPieces(ANSWER.repeat(8), 40, 1),
    answer: () => textAnswer(ANSWER),
    ...options,
  });
  const { id: team } = rig.fake.world.channelNamed("team");
  expect(await rig.run("bob", "general", "parley review", { change: "on", channel: `<#${team}>` })).toMatch(
    /Only host approvers \(PARLEY_APPROVERS\)/,
  );
  const told = await rig.run("maria", "general", "parley review", { change: "on", channel: `<#${team}>` });
  expect(told).toMatch(/reviewed in #?team/);
  return { rig, team };
};

const cardIn = ({ fake }: DiscordRig, team: string) =>
  vi.waitFor(() => {
    const card = fake.world
      .messages(team)
      .findLast(({ components }) => JSON.stringify(components).includes("Edit and send"));
    if (card === undefined) throw new Error(fake.asText(team));
    return { channel: team, id: card.id };
  }, OFTEN);

const ask = async ({ rig, team }: Awaited<ReturnType<typeof reviewed>>) => {
  const asked = rig.fake.as("bob").say("general", "@parley where is the cart emptied?");
  const thread = await rig.reads(asked.id, /A maintainer reviews it before it is posted here/);
  expect(thread).not.toMatch(/cart is emptied|\[Steps\]/);
  return { thread: asked.id, card: await cardIn(rig, team) };
};

describe("an answer in a channel whose answers are looked at", () => {
  it("waits over a restart and for days, of which its thread is told once; a stranger may not send it, two maintainers once", async () => {
    const set = await reviewed();
    const { thread, card } = await ask(set);
    const { rig, team } = set;
    expect(rig.fake.asText(team)).toMatch(
      /Send this answer\?[^]*@bob[^]*> where is the cart emptied\?[^]*The cart is emptied[^]*\[Send\]/,
    );
    rig.fake.as("bob").click(card, "Send");
    await rig.reads("team", /only for @bob\).*\nYou can't decide this/);
    const later = { ...systemClock, now: () => Date.now() + 4 * DAY };
    const next = await rig.restart({ clock: later });
    await next.reads(thread, /No maintainer has reviewed this answer for 4 days/);
    const again = await next.restart({ clock: later });
    again.fake.as("maria").click(card, "Send");
    again.fake.as("mark").click(card, "Send");
    const text = await again.reads(thread, /The cart is emptied in/);
    expect(text.match(/The cart is emptied in/g)).toHaveLength(1);
    expect(text.match(/No maintainer has reviewed/g)).toHaveLength(1);
    await again.reads("team", /Already sent by @(?:maria|mark)/);
    await again.reads("team", /\*\*Sent by @(?:maria|mark)/);
    expect(again.fake.asText(team)).not.toMatch(/where is the cart|cart is emptied/);
    expect(again.fake.violations).toEqual([]);
  });

  it("is edited in a form that begins with it, and is posted as that person's words", async () => {
    const set = await reviewed();
    const { thread, card } = await ask(set);
    const { rig } = set;
    const pressed = rig.fake.as("maria").click(card, "Edit and send");
    expect(JSON.stringify(await pressed.ended)).toContain("The cart is emptied in src/cart.ts:12");
    await rig.fake
      .as("maria")
      .submit(pressed, { words: "In cart.ts: @everyone [x](https://evil.example/x)" });
    const text = await rig.reads(thread, /In cart\.ts/);
    expect(text).toMatch(/Edited by @maria/);
    expect(text).not.toMatch(/The cart is emptied|\[x\]\(https/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("that is too long for a form says what to do, and is read whole where it is looked at", async () => {
    const long = Array.from({ length: 300 }, (_, line) => `Line ${line}: the cart is emptied.`).join("\n\n");
    const set = await reviewed({ stream: () => Promise.resolve(), answer: () => textAnswer(long) });
    const { thread, card } = await ask(set);
    const { rig, team } = set;
    await rig.reads("team", /Line 0:[^]*Line 299:/);
    const pressed = rig.fake.as("maria").click(card, "Edit and send");
    expect(await pressed.ended).toMatchObject({ kind: "replied", ephemeral: true });
    await rig.reads("team", /only for @maria\)[^]*a form here/);
    rig.fake.as("maria").click(card, "Discard");
    await rig.reads(thread, /@maria decided not to post the answer/);
    await vi.waitFor(() => expect(rig.fake.asText(team)).not.toMatch(/Line \d/), OFTEN);
  });

  it("goes with what was forgotten: nobody reads it where it was looked at", async () => {
    const set = await reviewed();
    const { thread } = await ask(set);
    const { rig, team } = set;
    rig.fake.as("bob").remove({ channel: rig.fake.world.channelNamed("general").id, id: thread });
    await vi.waitFor(() => expect(rig.fake.asText(team)).toMatch(/No longer asked/), OFTEN);
    expect(rig.fake.asText(team)).not.toMatch(/where is the cart|cart is emptied/);
  });
});
