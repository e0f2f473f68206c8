import { Events, MessageFlags, PermissionFlagsBits, Routes } from "discord.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { harness, readyOn, refusal, restOn } from "../harness.ts";

const made = z.looseObject({ id: z.string() });
const list = z.array(z.object({ content: z.string() }));

const scene = async (options: Parameters<typeof harness>[0] = { rates: "off" }) => {
  const all = await harness(options);
  const general = all.fake.world.channelNamed("general").id;
  const route = Routes.channelMessages(general);
  const send = async (body: object) => made.parse(await all.rest.post(route, { body }));
  return { ...all, general, route, send };
};

describe("messages", () => {
  test("are made, read back, changed and deleted, and the client hears of each", async () => {
    const { fake, rest, route, general } = await scene();
    const client = await readyOn(fake);
    const heard: string[] = [];
    const over = Promise.withResolvers<void>();
    client.on(Events.MessageCreate, ({ content }) => heard.push(`made ${content}`));
    client.on(Events.MessageUpdate, (_before, { content }) => heard.push(`changed ${content}`));
    client.on(Events.MessageDelete, ({ content }) => {
      heard.push(`deleted ${content}`);
      over.resolve();
    });
    const channel = await client.channels.fetch(general);
    if (channel?.isSendable() !== true) throw new Error("no channel");
    const message = await channel.send("one");
    await message.edit("two");
    expect(list.parse(await rest.get(route))).toMatchObject([{ content: "two" }]);
    expect(fake.asText("general")).toBe("--- from: @parley (bot) (edited)\ntwo\n");
    await message.delete();
    await over.promise;
    expect(heard).toEqual(["made one", "changed two", "deleted two"]);
    expect(fake.violations).toEqual([]);
  });

  test("with a nonce that is enforced are made once, and again minutes later", async () => {
    const { fake, clock, send } = await scene();
    const body = { content: "once", nonce: "k1", enforce_nonce: true };
    const first = await send(body);
    expect(await send({ ...body, content: "twice" })).toMatchObject({
      id: first.id,
      content: "once",
      nonce: "k1",
    });
    expect((await send({ content: "free", nonce: "k1" })).id).not.toBe(first.id);
    clock.advance(5 * 60_000 + 1);
    await send(body);
    expect(fake.asText("general").match(/once|free/g)).toEqual(["once", "free", "once"]);
  });

  test("are read in pages: after, before, around, newest first", async () => {
    const { rest, route, send } = await scene();
    const ids: string[] = [];
    for (const content of ["a", "b", "c", "d", "e"]) ids.push((await send({ content })).id);
    const texts = async (query: Record<string, string>): Promise<string> =>
      list
        .parse(await rest.get(route, { query: new URLSearchParams(query) }))
        .map(({ content }) => content)
        .join("");
    const [, b = "", c = "", d = ""] = ids;
    expect(await texts({})).toBe("edcba");
    expect(await texts({ after: b, limit: "2" })).toBe("dc");
    expect(await texts({ before: d, limit: "2" })).toBe("cb");
    expect(await texts({ around: c, limit: "3" })).toBe("dcb");
    expect(await refusal(rest.get(route, { query: new URLSearchParams({ limit: "101" }) }))).toMatchObject({
      code: 50_035,
    });
  });

  test("carry files, which are kept through an edit that names them and gone after one that does not", async () => {
    const { rest, route } = await scene();
    const file = { name: "diff.txt", data: Buffer.from("+a"), contentType: "text/plain" };
    const sent = z
      .object({
        id: z.string(),
        attachments: z.array(z.object({ id: z.string(), url: z.string(), filename: z.string() })),
      })
      .parse(await rest.post(route, { body: { content: "see" }, files: [file] }));
    const [attachment] = sent.attachments;
    expect(attachment?.filename).toBe("diff.txt");
    expect(await (await fetch(attachment?.url ?? "")).text()).toBe("+a");
    const patch = (body: object): Promise<unknown> => rest.patch(`${route}/${sent.id}`, { body });
    expect(await patch({ content: "seen", attachments: [{ id: attachment?.id }] })).toMatchObject({
      attachments: [{}],
    });
    expect(await patch({ attachments: [] })).toMatchObject({ content: "seen", attachments: [] });
  });

  test("ping only whom they may and whom they allow", async () => {
    const { fake, send } = await scene();
    const alice = fake.as("alice").id;
    const content = `<@${alice}> @everyone`;
    expect(await send({ content })).toMatchObject({ mentions: [{ id: alice }], mention_everyone: false });
    expect(await send({ content, allowed_mentions: { parse: [] } })).toMatchObject({ mentions: [] });
    fake.admin.overwrite("general", "parley", { allow: ["MentionEveryone"] });
    expect(await send({ content })).toMatchObject({ mention_everyone: true });
    const reply = { message_id: fake.as("alice").say("general", "hi").id };
    expect(await send({ content: "yes", message_reference: reply })).toMatchObject({
      type: 19,
      mentions: [{ id: alice }],
    });
    const quiet = { allowed_mentions: { parse: [], replied_user: false } };
    expect(await send({ content: "yes", message_reference: reply, ...quiet })).toMatchObject({
      mentions: [],
    });
  });

  test("of links get a preview a moment later, unless it is suppressed", async () => {
    const { fake, clock, send } = await scene();
    await send({ content: "https://example.com" });
    await send({ content: "https://example.com", flags: MessageFlags.SuppressEmbeds });
    clock.advance(200);
    expect(fake.asText("general").match(/\[link/g)).toHaveLength(1);
  });
});

const text = (length: number): string => "x".repeat(length);
const button = (custom_id: string) => ({ type: 2, style: 1, label: "go", custom_id });
const row = (...components: readonly object[]) => ({ type: 1, components });
const said = (content: string) => ({ type: 10, content });

describe("what Discord refuses", () => {
  const flags = MessageFlags.IsComponentsV2;
  test.each([
    ["2001 characters", { content: text(2_001) }, ["content", "BASE_TYPE_MAX_LENGTH"]],
    ["a nonce of 26", { content: "a", nonce: text(26) }, ["nonce", "BASE_TYPE_MAX_LENGTH"]],
    [
      "a label of 81",
      { components: [row({ ...button("a"), label: text(81) })] },
      ["label", "BASE_TYPE_MAX_LENGTH"],
    ],
    [
      "six buttons in a row",
      { components: [row(...["a", "b", "c", "d", "e", "f"].map(button))] },
      ["components", "BASE_TYPE_MAX_LENGTH"],
    ],
    [
      "a custom id twice",
      { components: [row(button("a"), button("a"))] },
      ["components", "COMPONENT_CUSTOM_ID_DUPLICATED"],
    ],
    [
      "4001 characters in all displays",
      { flags, components: [said(text(4_000)), said("x")] },
      ["components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"],
    ],
    [
      "41 components",
      { flags, components: Array.from({ length: 40 }, () => said("x")).concat(said("x")) },
      ["components", "BASE_TYPE_MAX_LENGTH"],
    ],
    [
      "content beside components v2",
      { flags, content: "a", components: [said("b")] },
      ["content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"],
    ],
    ["displays without the flag", { components: [said("a")] }, ["type", "BASE_TYPE_CHOICES"]],
    [
      "an unknown kind of mention",
      { content: "a", allowed_mentions: { parse: ["all"] } },
      ["allowed_mentions", "BASE_TYPE_CHOICES"],
    ],
  ])("%s", async (_name, body, [place = "", code = ""]) => {
    const { fake, rest, route } = await scene();
    const error = await refusal(rest.post(route, { body }));
    expect(error).toMatchObject({ status: 400, code: 50_035 });
    const errors = JSON.stringify(error.rawError);
    expect(errors).toContain(`"${place}"`);
    expect(errors).toContain(code);
    expect(fake.violations.splice(0)).toHaveLength(1);
  });

  test("and what it takes at the very limit", async () => {
    const { fake, send } = await scene();
    await send({ content: text(2_000), nonce: text(25) });
    await send({ flags, components: [said(text(4_000))] });
    await send({ flags, components: Array.from({ length: 39 }, () => said("x")).concat(said("y")) });
    await send({ components: [row(...["a", "b", "c", "d", "e"].map(button))] });
    expect(fake.violations).toEqual([]);
  });

  test("a message of nothing, and one that gives up its components", async () => {
    const { fake, rest, route, send } = await scene();
    expect(await refusal(rest.post(route, { body: {} }))).toMatchObject({ code: 50_006 });
    const { id } = await send({ flags, components: [said("a")] });
    await rest.patch(`${route}/${id}`, { body: { components: [said("b")] } });
    expect(await refusal(rest.patch(`${route}/${id}`, { body: { content: "c", flags: 0 } }))).toMatchObject({
      code: 50_035,
    });
    fake.violations.splice(0);
  });

  test("what is not there, not ours, not allowed", async () => {
    const { fake, rest, route, general } = await scene();
    const theirs = fake.as("alice").say("general", "mine").id;
    expect(await refusal(rest.get(`${route}/${general}`))).toMatchObject({ status: 404, code: 10_008 });
    expect(
      await refusal(rest.post(Routes.channelMessages("100000000000000001"), { body: { content: "a" } })),
    ).toMatchObject({ code: 10_003 });
    expect(await refusal(rest.patch(`${route}/${theirs}`, { body: { content: "a" } }))).toMatchObject({
      code: 50_013,
    });
    fake.admin.overwrite("general", "parley", { allow: ["ManageMessages"] });
    expect(await refusal(rest.patch(`${route}/${theirs}`, { body: { content: "a" } }))).toMatchObject({
      code: 50_005,
    });
    await rest.delete(`${route}/${theirs}`);
    fake.admin.overwrite("general", "parley", { deny: ["SendMessages"] });
    expect(await refusal(rest.post(route, { body: { content: "a" } }))).toMatchObject({
      status: 403,
      code: 50_013,
    });
    fake.admin.overwrite("general", "parley", { deny: ["ViewChannel"] });
    expect(await refusal(rest.post(route, { body: { content: "a" } }))).toMatchObject({
      status: 403,
      code: 50_001,
    });
    expect(fake.violations).toEqual([]);
  });

  test("a body of more than 25 MiB, and one that is no JSON", async () => {
    const { fake, rest, route } = await scene();
    const data = Buffer.alloc(26 * 1024 * 1024);
    expect(await refusal(rest.post(route, { body: {}, files: [{ name: "big", data }] }))).toMatchObject({
      status: 413,
    });
    const broken = rest.post(route, { body: "{", passThroughBody: true });
    expect(await refusal(broken)).toMatchObject({ code: 50_109 });
    expect(fake.violations.splice(0)).toHaveLength(2);
  });

  test("a token that is wrong, and none", async () => {
    const { fake, rest } = await scene();
    await rest.get(Routes.user());
    fake.revoke();
    expect(await refusal(rest.get(Routes.user()))).toMatchObject({ status: 401 });
    await expect(rest.get(Routes.user())).rejects.toThrow("Expected token to be set");
    expect(await refusal(restOn(fake).get(Routes.user(), { auth: false }))).toMatchObject({ status: 401 });
    fake.violations.splice(0);
  });
});

test("permissions are computed over roles, overwrites and timeouts", async () => {
  const { fake } = await scene();
  const client = await readyOn(fake);
  const guild = client.guilds.cache.first();
  const channel = guild?.channels.cache.find(({ name }) => name === "general");
  const maria = await guild?.members.fetch(fake.as("maria").id);
  expect(maria?.permissions.has(PermissionFlagsBits.ManageGuild)).toBe(true);
  expect(channel?.permissionsFor(guild?.members.me ?? "")?.has(PermissionFlagsBits.SendMessages)).toBe(true);
  fake.admin.timeOut("Community", "alice", 60_000);
  expect(() => fake.as("alice").say("general", "hi")).toThrow("alice has no SendMessages");
  fake.admin.ban("Community", "bob");
  expect(() => fake.as("bob").say("general", "hi")).toThrow("bob has no ViewChannel");
});
