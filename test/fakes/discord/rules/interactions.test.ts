import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Events,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  Routes,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { harness, readyOn, refusal } from "../harness.ts";

const buttons = {
  content: "May it write?",
  components: [
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId("approve").setLabel("Approve").setStyle(ButtonStyle.Success),
    ),
  ],
};
const commands = [
  {
    name: "ask",
    description: "Ask",
    options: [{ type: 3, name: "question", description: "What", required: true }],
  },
  { name: "parley", description: "Parley", options: [{ type: 1, name: "stop", description: "Stop" }] },
  { name: "Ask about this", type: 3 },
  { name: "secret", description: "For maintainers", default_member_permissions: "32" },
];

/** A client that answers interactions so, with a question standing in #general. */
const scene = async (answer: (interaction: Interaction) => Promise<unknown>) => {
  const all = await harness({ rates: "off" });
  const client = await readyOn(all.fake);
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  const { id: channel } = all.fake.world.channelNamed("general");
  const { id } = z.object({ id: z.string() }).parse(
    await client.rest.post(Routes.channelMessages(channel), {
      body: { ...buttons, components: buttons.components.map((row) => row.toJSON()) },
    }),
  );
  const commandRoute = Routes.applicationCommands(all.fake.world.app.id);
  return { ...all, client, question: { channel, id }, commandRoute };
};

describe("a click", () => {
  test("is answered by a reply that only that person sees", async () => {
    const { fake, question } = await scene(
      async (one) =>
        one.isButton() &&
        one.reply({ content: `not you, ${one.user.username}`, flags: MessageFlags.Ephemeral }),
    );
    expect(await fake.as("bob").click(question, "Approve").ended).toMatchObject({
      kind: "replied",
      ephemeral: true,
    });
    expect(fake.asText("general")).toContain(
      "--- from: @parley (bot) (only for @bob) (reply)\nnot you, bob\n",
    );
    expect(fake.violations).toEqual([]);
  });

  test("carries who clicked, with the permissions in that channel", async () => {
    const seen = Promise.withResolvers<readonly unknown[]>();
    const { fake, question } = await scene(async (one) => {
      if (!one.isButton()) return;
      await one.deferUpdate();
      seen.resolve([
        one.customId,
        one.user.username,
        one.memberPermissions?.has("ManageGuild"),
        one.inCachedGuild(),
      ]);
    });
    fake.as("maria").click(question, "Approve");
    expect(await seen.promise).toEqual(["approve", "maria", true, true]);
  });

  test("can change its message at once, or later", async () => {
    const { fake, question } = await scene(
      async (one) => one.isButton() && one.update({ content: "Approved", components: [] }),
    );
    expect(await fake.as("maria").click(question, "Approve").ended).toEqual({ kind: "updated" });
    expect(fake.asText("general")).toContain("(edited)\nApproved\n");
    expect(() => fake.as("maria").click(question, "Approve")).toThrow("no button");
  });

  test("that nobody answers in three seconds fails, and a later answer is refused", async () => {
    const arrived = Promise.withResolvers<Interaction>();
    const { fake, question, clock } = await scene(async (one) => arrived.resolve(one));
    const { ended } = fake.as("bob").click(question, "Approve");
    const late = await arrived.promise;
    clock.advance(3_001);
    expect(await ended).toEqual({ kind: "failed" });
    if (!late.isButton()) throw new Error("no button");
    expect(await refusal(late.deferUpdate())).toMatchObject({ code: 10_062 });
  });

  test("is answered once", async () => {
    const { fake, question, client } = await scene(async (one) => one.isButton() && one.deferUpdate());
    const interaction = fake.as("bob").click(question, "Approve");
    await interaction.ended;
    const again = client.rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
      body: { type: 6 },
      auth: false,
    });
    expect(await refusal(again)).toMatchObject({ code: 40_060 });
  });

  test("opens a modal, whose answer comes back", async () => {
    const modal = new ModalBuilder()
      .setCustomId("edit")
      .setTitle("Edit")
      .addComponents(
        new ActionRowBuilder<TextInputBuilder>().addComponents(
          new TextInputBuilder().setCustomId("text").setLabel("Text").setStyle(TextInputStyle.Paragraph),
        ),
      );
    const { fake, question } = await scene(async (one) => {
      if (one.isButton()) await one.showModal(modal);
      else if (one.isModalSubmit()) await one.reply(`got ${one.fields.getTextInputValue("text")}`);
    });
    const opened = fake.as("alice").click(question, "Approve");
    expect(await (await fake.as("alice").submit(opened, { text: "words" })).ended).toMatchObject({
      kind: "replied",
    });
    expect(fake.asText("general")).toContain("got words");
    expect(fake.violations).toEqual([]);
  });
});

describe("a token", () => {
  test("opens edits and follow-ups for fifteen minutes", async () => {
    const arrived = Promise.withResolvers<Interaction>();
    const { fake, question, clock, client } = await scene(async (one) => {
      if (!one.isButton()) return;
      await one.deferReply();
      arrived.resolve(one);
    });
    expect(await fake.as("bob").click(question, "Approve").ended).toMatchObject({
      kind: "deferred",
      ephemeral: false,
    });
    const interaction = await arrived.promise;
    if (!interaction.isButton()) throw new Error("no button");
    expect(fake.asText("general")).toContain("(thinking)");
    await interaction.editReply("done");
    await interaction.followUp({ content: "and more", flags: MessageFlags.Ephemeral });
    expect(fake.asText("general")).toMatch(/done\n[^]*only for @bob\) \(reply\)\nand more\n$/);
    clock.advance(15 * 60_000 + 1);
    expect(await refusal(interaction.editReply("late"))).toMatchObject({ code: 50_027 });
    const reply = await client.rest.get(Routes.channelMessages(question.channel));
    expect(reply).toHaveLength(2);
  });
});

describe("commands", () => {
  test("registered again are the same commands; a change has another version; what is left out is gone", async () => {
    const { rest, commandRoute } = await scene(async () => undefined);
    const first = await rest.put(commandRoute, { body: commands });
    expect(await rest.put(commandRoute, { body: commands })).toEqual(first);
    expect(await rest.get(commandRoute)).toEqual(first);
    const [ask] = z.array(z.object({ id: z.string(), version: z.string() })).parse(first);
    const changed = await rest.put(commandRoute, { body: [{ ...commands[0], description: "Ask Parley" }] });
    const versions = z.array(z.object({ id: z.string(), version: z.string() })).parse(changed);
    expect(versions).toHaveLength(1);
    expect([versions[0]?.id, versions[0]?.version === ask?.version]).toEqual([ask?.id, false]);
  });

  test("of a guild are found there before the global ones, in no other guild", async () => {
    const { fake, rest } = await harness({
      rates: "off",
      guilds: [
        { name: "a", channels: [{ name: "ca" }], members: [{ name: "alice" }] },
        { name: "b", channels: [{ name: "cb" }], members: [{ name: "alice" }] },
      ],
    });
    await rest.put(Routes.applicationGuildCommands(fake.world.app.id, fake.world.guildNamed("a").id), {
      body: commands,
    });
    fake.as("alice").command("ca", "ask", { question: "why" });
    expect(() => fake.as("alice").command("cb", "ask", { question: "why" })).toThrow("no command ask");
  });

  test("are run with their options, on a message, and by those who may", async () => {
    const heard: string[] = [];
    const { fake, rest, commandRoute, question } = await scene(async (one) => {
      if (one.isChatInputCommand())
        heard.push(
          `${one.commandName} ${one.options.getSubcommand(false) ?? one.options.getString("question")}`,
        );
      if (one.isMessageContextMenuCommand()) heard.push(one.targetMessage.content);
      if (one.isRepliable()) await one.reply({ content: "ok", flags: MessageFlags.Ephemeral });
    });
    await rest.put(commandRoute, { body: commands });
    await fake.as("alice").command("general", "ask", { question: "why" }).ended;
    await fake.as("alice").command("general", "parley stop").ended;
    await fake.as("alice").messageCommand(question, "Ask about this").ended;
    expect(heard).toEqual(["ask why", "parley stop", "May it write?"]);
    expect(() => fake.as("alice").command("general", "secret")).toThrow("alice may not run secret");
    await fake.as("maria").command("general", "secret").ended;
    expect(fake.violations).toEqual([]);
  });

  test.each([
    ["a name in capitals", { name: "Ask", description: "x" }],
    ["a description of 101", { name: "ask", description: "x".repeat(101) }],
    ["no description", { name: "ask" }],
  ])("%s is refused", async (_name, body) => {
    const { fake, rest } = await harness();
    const error = await refusal(rest.put(Routes.applicationCommands(fake.world.app.id), { body: [body] }));
    expect(error).toMatchObject({ code: 50_035 });
    fake.violations.splice(0);
  });
});
