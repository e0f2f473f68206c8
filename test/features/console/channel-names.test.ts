/** What channels are called, asked of the wire-level platforms, and instructions that chat and console share. */

import { expect, it, onTestFinished } from "vitest";
import { createReadSlackName } from "../../../adapters/slack/read/channel-name.ts";
import { createSlackClient } from "../../../adapters/slack/api/client.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { createRig as createDiscordRig } from "../../adapters/discord/rig.ts";
import { error } from "../../adapters/http/ask.ts";
import { createRig, type Rig, type RigOptions } from "../../adapters/http/rig.ts";
import { openMemory } from "../../store/in-memory.ts";

const open = async (options: RigOptions): Promise<Rig> => {
  const rig = await createRig(options);
  onTestFinished(() => rig.close());
  return rig;
};

const have = async (rig: Rig, surface: string, ...places: readonly string[]): Promise<void> => {
  for (const place of places) await rig.call("POST", "/api/channels", { surface, place, budgetUsd: 1 });
};

const names = async (rig: Rig): Promise<unknown> => (await rig.call("GET", "/api/channels/names")).body;
const listed = async (rig: Rig): Promise<unknown> => (await rig.call("GET", "/api/channels")).body;

it("Slack's are named, those that are gone say so; each is asked once in ten minutes, and shown meanwhile", async () => {
  const fake = await createFakeSlack({ rates: "off" });
  onTestFinished(() => fake.close());
  const direct = fake.world.directChannel("UALICE").id;
  const read = createReadSlackName(createSlackClient(fake.botToken, { apiUrl: fake.apiUrl }));
  let now = 0;
  const rig = await open({ called: { slack: read }, clock: { now: () => now } });
  await have(rig, "slack", "CGENERAL", "CGONE", direct);
  fake.fault({ kind: "wait", gate: "slow" }, { match: { method: "conversations.info" } });
  const asking = names(rig);
  await fake.waitFor(1, "conversations.info");
  // The list waits for nobody.
  expect(await listed(rig)).toMatchObject({ channels: [{ called: null }, { place: "CGONE" }, {}] });
  fake.gate("slow").open();
  const all = [
    { place: "CGENERAL", called: { kind: "named", name: "#general", note: null } },
    {
      place: "CGONE",
      called: { kind: "gone", why: expect.stringContaining("The channel no longer exists") },
    },
    { place: direct, called: { kind: "named", name: "@alice", note: "direct messages" } },
  ];
  expect(await asking).toMatchObject({ names: all });
  expect(await listed(rig)).toMatchObject({ channels: all });

  fake.admin.archive("general");
  const asked = fake.calls.length;
  await names(rig);
  expect(fake.calls).toHaveLength(asked);
  now = 600_000;
  expect(await names(rig)).toMatchObject({
    names: [{ called: { name: "#general", note: "archived" } }, {}, {}],
  });
  // What it said last stands where it says nothing.
  now = 1_200_000;
  fake.fault({ kind: "status", status: 429, retryAfter: "30" }, { times: 9 });
  const before = fake.calls.length;
  expect(await names(rig)).toMatchObject({ names: all.map(({ place }) => ({ place, called: {} })) });
  expect(fake.calls.length - before).toBeLessThanOrEqual(4);
  expect(fake.violations).toEqual([]);
});

it("Discord's are named with their server; instructions are one thing in chat and console", async () => {
  const opened = openMemory();
  const { fake, discord, run } = await createDiscordRig({ opened, bound: ["general", "help"] });
  await run("bob", "general", "parley instructions", {});
  const general = fake.world.channelNamed("general").id;
  const help = fake.world.channelNamed("help").id;
  const rig = await open({ opened, called: { discord: discord.readName } });
  await have(rig, "discord", "812345678901234567");
  await have(rig, "slack", "CGENERAL");
  expect(await names(rig)).toMatchObject({
    names: expect.arrayContaining([
      { surface: "discord", place: general, called: { kind: "named", name: "#general", note: "Community" } },
      { surface: "discord", place: help, called: { kind: "named", name: "#help", note: "Community" } },
      {
        surface: "discord",
        place: "812345678901234567",
        called: { kind: "gone", why: "This channel was deleted." },
      },
      { surface: "slack", place: "CGENERAL", called: { kind: "unread", why: expect.any(String) } },
    ]),
  });

  const of = { surface: "discord", place: general };
  const set = (instructions: string | null) => rig.call("POST", "/api/channels", { ...of, instructions });
  const shown = async () => {
    const { instructions } = opened.chat.channels().some(({ place }) => place === general)
      ? { instructions: opened.chat.instructions("discord", general) }
      : { instructions: "not listed" };
    return instructions;
  };
  await set("  Answer in German.\r\nCite lines.\u0007\n");
  expect(await run("bob", "general", "parley instructions", {})).toMatch(
    /set by `console:operator`[^]*\| Answer in German\.\n\| Cite lines\.\n/,
  );
  expect(await set("é".repeat(2_049))).toMatchObject({
    status: 400,
    body: error("invalid_request", "unusable_setting"),
  });
  expect(await shown()).toMatchObject({ text: "Answer in German.\nCite lines." });
  await run("maria", "general", "parley instructions", { text: "Be brief." });
  expect(await listed(rig)).toMatchObject({
    channels: expect.arrayContaining([
      expect.objectContaining({ ...of, instructions: expect.objectContaining({ text: "Be brief." }) }),
    ]),
  });
  await set(null);
  expect(await run("bob", "general", "parley instructions", {})).toContain(
    "This channel has no instructions.",
  );
  expect(fake.violations).toEqual([]);
});
