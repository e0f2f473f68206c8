/** What a person presses, runs and fills in. Each answers with the interaction, whose `ended` says what they saw. */

import { z } from "zod";
import { can, permissionsOf } from "../rules/access.ts";
import { componentsIn } from "../content.ts";
import type { Discord } from "../discord.ts";
import type { Interaction } from "../interactions.ts";
import { bareMemberWire, channelWire, messageWire, userWire } from "../wire.ts";
import type { AnyChannel, Json, Message, User } from "../world.ts";

interface Placed {
  readonly channel: string;
  readonly id: string;
}

export interface Interacting {
  /** Presses the button with that label. */
  click(message: Placed, label: string): Interaction;
  /** Picks the option with that label in a menu. */
  choose(message: Placed, label: string): Interaction;
  /** Runs a slash command: `ask`, or `parley stop` for a subcommand. */
  command(
    channel: string,
    path: string,
    options?: Readonly<Record<string, string | number | boolean>>,
  ): Interaction;
  /** Runs a command of a message's menu. */
  messageCommand(message: Placed, name: string): Interaction;
  /** Sends the modal that answered an interaction, by the custom ids of its inputs. */
  submit(interaction: Interaction, values: Readonly<Record<string, string>>): Promise<Interaction>;
}

export const createInteracting = (discord: Discord, user: User): Interacting => {
  const { world } = discord;

  const send = (type: number, channel: AnyChannel, data: Json, message: Message | null): Interaction => {
    if (!can(discord, user.id, channel, "ViewChannel"))
      throw new Error(`${user.name} does not see ${channel.id}`);
    const live = discord.interactions.open({
      type,
      user: user.id,
      channel: channel.id,
      message: message?.id ?? null,
    });
    discord.dispatch({
      type: "INTERACTION_CREATE",
      guild: channel.guild,
      intent: 0,
      data: () => ({
        id: live.id,
        application_id: world.app.id,
        type,
        data,
        token: live.token,
        version: 1,
        channel: channelWire(world, channel),
        channel_id: channel.id,
        app_permissions: String(permissionsOf(discord, world.app.bot, channel)),
        locale: user.locale ?? "en-US",
        entitlements: [],
        authorizing_integration_owners: channel.guild === null ? {} : { 0: channel.guild },
        context: channel.guild === null ? 1 : 0,
        attachment_size_limit: 10_485_760,
        ...whoever(discord, user, channel),
        ...(message === null || type === 2 ? {} : { message: messageWire(world, message, discord.baseUrl) }),
      }),
    });
    return live;
  };

  const at = ({ channel, id }: Placed): Message => {
    const message = world.message(channel, id);
    if (message === undefined || (message.onlyFor !== null && message.onlyFor !== user.id)) {
      throw new Error(`${user.name} sees no message ${id}`);
    }
    return message;
  };

  const run = (channel: AnyChannel, name: string, type: number, data: Json): Interaction => {
    const command = discord.commands.named(channel.guild, name, type);
    if (command === undefined) throw new Error(`no command ${name}`);
    if (!mayRun(discord, user, channel, command.body["default_member_permissions"]))
      throw new Error(`${user.name} may not run ${name}`);
    return send(2, channel, { id: command.id, name, type, ...data }, null);
  };

  return {
    click: (address, label) => {
      const message = at(address);
      const buttons = componentsIn(message.components).filter(({ type }) => type === 2);
      const button = buttons.find((one) => one["label"] === label && one["disabled"] !== true);
      if (button === undefined) {
        throw new Error(
          `no button "${label}"; there are: ${buttons.map((one) => String(one["label"])).join(", ")}`,
        );
      }
      return send(3, world.channelNamed(message.channel), pressed(button), message);
    },
    choose: (address, label) => {
      const message = at(address);
      for (const menu of componentsIn(message.components).filter(({ type }) => type === 3)) {
        const option = optionsIn(menu).find((one) => one.label === label);
        if (option !== undefined) {
          return send(
            3,
            world.channelNamed(message.channel),
            { ...pressed(menu), values: [option.value] },
            message,
          );
        }
      }
      throw new Error(`no option "${label}"`);
    },
    command: (where, path, options = {}) => {
      const [name = "", ...rest] = path.split(" ");
      const values = Object.entries(options).map(([key, value]) => ({
        name: key,
        type: kindOf(value),
        value,
      }));
      const given = rest.reduceRight<readonly Json[]>(
        (inner, sub, index) => [
          { name: sub, type: rest.length === 2 && index === 0 ? 2 : 1, options: inner },
        ],
        values,
      );
      return run(world.channelNamed(where), name, 1, { options: given });
    },
    messageCommand: (address, name) => {
      const message = at(address);
      return run(world.channelNamed(message.channel), name, 3, {
        target_id: message.id,
        resolved: { messages: { [message.id]: messageWire(world, message, discord.baseUrl) } },
      });
    },
    submit: async (interaction, values) => {
      const end = await interaction.ended;
      if (end.kind !== "modal") throw new Error(`no modal came: ${end.kind}`);
      const message =
        interaction.message === null
          ? null
          : (world.message(interaction.channel, interaction.message) ?? null);
      const inputs = inputsIn(end.modal).map((row) => filled(row, values));
      return send(
        5,
        world.channelNamed(interaction.channel),
        { custom_id: end.modal["custom_id"], components: inputs },
        message,
      );
    },
  };
};

const whoever = (discord: Discord, user: User, channel: AnyChannel): Json => {
  const member =
    channel.guild === null ? undefined : discord.world.guilds.get(channel.guild)?.members.get(user.id);
  return member === undefined
    ? { user: userWire(user) }
    : {
        guild_id: channel.guild,
        guild_locale: "en-US",
        guild: { id: channel.guild, locale: "en-US", features: [] },
        member: {
          ...bareMemberWire(member),
          user: userWire(user),
          permissions: String(permissionsOf(discord, user.id, channel)),
        },
      };
};

/** A command's default permissions hold for whoever is in a guild; the server's admins can set others. */
const mayRun = (discord: Discord, user: User, channel: AnyChannel, needed: unknown): boolean =>
  channel.guild === null ||
  ((permissionsOf(discord, user.id, channel) & bitsIn(needed)) === bitsIn(needed) &&
    can(discord, user.id, channel, "UseApplicationCommands"));

const bitsIn = (bits: unknown): bigint => (typeof bits === "string" ? BigInt(bits) : 0n);

const pressed = (component: Json): Json => ({
  custom_id: component["custom_id"],
  component_type: component["type"],
  id: component["id"],
});

const optionsIn = (menu: Json) =>
  z
    .array(z.object({ label: z.string(), value: z.string() }))
    .catch([])
    .parse(menu["options"]);

const record = z.record(z.string(), z.unknown());
const inputsIn = (modal: Json): readonly Json[] => z.array(record).catch([]).parse(modal["components"]);

/** A row of a modal as it comes back: each input with what was written. */
const filled = (row: Json, values: Readonly<Record<string, string>>): Json => {
  const fill = (input: Json): Json => ({
    type: input["type"],
    id: input["id"],
    custom_id: input["custom_id"],
    value: values[String(input["custom_id"])] ?? "",
  });
  const label = record.safeParse(row["component"]);
  return label.success
    ? { type: row["type"], id: row["id"], component: fill(label.data) }
    : { type: row["type"], id: row["id"], components: inputsIn(row).map(fill) };
};

const kindOf = (value: string | number | boolean): number => {
  if (typeof value === "string") return 3;
  return typeof value === "number" ? 4 : 5;
};
