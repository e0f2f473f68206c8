/** A full conversation goes on in a new thread, on Discord: by the slash command, by the warning's button, and of itself. */

import { expect, it } from "vitest";
import type { Thread } from "../../fakes/discord/world.ts";
import { FULL, fills, NEARLY_FULL } from "../filling.ts";
import { conversationIdSchema } from "../../../src/store/schema/id.ts";
import { createRig, type DiscordRig } from "./rig.ts";

const asking = async (used: number) => {
  const rig = await createRig({ answer: fills(used) });
  const { id: old } = rig.fake.as("maria").say("general", "@parley why does it fail?");
  await rig.reads(old, used === FULL ? /Start empty/ : /tricted[^·\n]* · [[`<]/);
  return { rig, old };
};

const press = (rig: DiscordRig, channel: string, name: string, label: string): void => {
  const message = rig.fake.world
    .messages(channel)
    .findLast(({ components }) => JSON.stringify(components).includes(`"${label}"`));
  rig.fake.as(name).click({ channel, id: message?.id ?? "" }, label);
};

const others = ({ fake }: DiscordRig, old: string): readonly Thread[] =>
  [...fake.world.channels.values()].filter((one): one is Thread => one.kind === "thread" && one.id !== old);

/** The one new thread, once it has answered. */
const child = async (rig: DiscordRig, old: string): Promise<string> => {
  await expect.poll(() => others(rig, old).length).toBe(1);
  const id = others(rig, old)[0]?.id ?? "";
  await rig.reads(id, /Cleared\.[^]*tricted[^·\n]* · [[`<]/);
  return id;
};

it("row 63: `/parley continue` ends the thread with a summary, and the new one begins with it", async () => {
  const { rig, old } = await asking(100);
  await rig.run("maria", old, "parley continue");
  const summed = await rig.reads(old, /\[Continue with this summary\] \[Start empty\]/);
  expect(summed).toMatch(/maria[^]* continues it in a new thread[^]*It is the cache\. Next: clear it\./);
  expect(await rig.run("bob", old, "parley continue")).toBe("Done.");
  const next = await child(rig, old);
  expect(await rig.reads(old, /Continued here: /)).toContain(next);
  expect(await rig.run("maria", old, "parley continue")).toContain("It continues here: ");
  expect(others(rig, old)).toHaveLength(1);
  expect(rig.fake.violations).toEqual([]);
});

it("rows 62 and 63: the button of the warning at 80 % goes on in a new thread, and nothing is lost", async () => {
  const { rig, old } = await asking(NEARLY_FULL);
  await rig.reads(old, /82 % full[^]*\[Continue in a new thread\]/);
  press(rig, old, "maria", "Continue in a new thread");
  await rig.reads(
    old,
    /It is the cache\. Next: clear it\.[^]*\[Continue with this summary\] \[Start empty\]/,
  );
  press(rig, old, "maria", "Continue with this summary");
  await child(rig, old);
  await rig.reads(old, /It may be the cache\.[^]*Continued here: /);
  expect(rig.fake.violations).toEqual([]);
});

it("rows 53 and 59: at 90 % nothing more is run, and a second click leads to the same new thread", async () => {
  const { rig, old } = await asking(FULL);
  await rig.reads(old, /This thread (?:ends here|is full)[^]*\[Continue with this summary\] \[Start empty\]/);
  press(rig, old, "maria", "Continue with this summary");
  press(rig, old, "bob", "Continue with this summary");
  await child(rig, old);
  await rig.reads(old, /Continued here: /);
  expect(others(rig, old)).toHaveLength(1);
  expect(rig.bot.list(10, null)).toHaveLength(2);
  expect(rig.fake.violations).toEqual([]);
});

it("direct messages go on below in the same channel, and what is deleted above is still forgotten", async () => {
  const rig = await createRig({ answer: fills(FULL), env: { PARLEY_DISCORD_DIRECT: "on" } });
  const bob = rig.fake.as("bob");
  const said = bob.whisper("why does it fail?");
  await rig.reads(said.channel, /menu/);
  const menu = rig.fake.world.messages(said.channel).at(-1);
  bob.choose({ channel: said.channel, id: menu?.id ?? "" }, "acme/web");
  await rig.reads(
    said.channel,
    /This thread (?:ends here|is full)[^]*\[Continue with this summary\] \[Start empty\]/,
  );
  press(rig, said.channel, "bob", "Continue with this summary");
  const text = await rig.reads(said.channel, /Cleared\.[^]*tricted[^·\n]* · [[`<]/);
  expect(text).toMatch(/Continued here: [^]*Continues the message above/);
  const all = rig.bot.list(10, null);
  const old = all.find(({ state }) => state.phase.kind === "exhausted")?.conversation.id ?? "";
  const next = all.find(({ conversation }) => conversation.id !== old)?.conversation.id;
  expect(rig.ledger.find("discord", said.channel, said.channel)?.conversation).toBe(next);

  await rig.close();
  bob.whisper("and then?");
  const again = await rig.restart();
  await again.reads(said.channel, /and then\?[^]*Cleared\.[^]*tricted[^·\n]* · [[`<]/);
  expect(again.bot.list(10, null)).toHaveLength(2);
  const told = (): string => JSON.stringify(again.store.history(conversationIdSchema.parse(old), 0));
  expect(told()).toContain("why does it fail?");
  bob.remove(said);
  await expect.poll(told).not.toContain("why does it fail?");
  expect(rig.fake.violations).toEqual([]);
});
