/**
 * Parley's commands as Discord lists them. The whole list is written at once, so a repeat changes nothing.
 */

import {
  ApplicationCommandType,
  InteractionContextType as Context,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { HostNotes } from "../../../src/ports/alerts.ts";
import type { OfferedCommand, OfferedOption } from "../../../src/ports/commands.ts";
import type { Log } from "../../../src/ports/host.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import type { Label, Language } from "../../../src/i18n/say.ts";
import { discordCourtesy, discordUnreadOf } from "../read/people.ts";
import { ASK, ASK_ABOUT, PARLEY } from "../read/read.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MAX_QUESTION = 1_500;
const MAX_LISTED = 25;

/** Default permission to use commands, which server admins can restrict. */
const EVERYBODY = String(PermissionFlagsBits.UseApplicationCommands);

/** Server admins restrict commands under Integrations; approval rights are checked at every click. */
export const applicationCommands = (commands: readonly OfferedCommand[]): readonly object[] => [
  {
    type: ApplicationCommandType.ChatInput,
    name: ASK,
    description: "Ask about this channel's repository in a new thread" satisfies Label,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild],
    options: [
      {
        type: Option.String,
        name: "question",
        description: "Your question" satisfies Label,
        required: true,
        max_length: MAX_QUESTION,
      },
      {
        type: Option.Boolean,
        name: "private",
        description: "Only you, moderators and people you invite can see the thread" satisfies Label,
      },
    ],
  },
  {
    type: ApplicationCommandType.ChatInput,
    name: PARLEY,
    description: "Control Parley in this thread" satisfies Label,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild, Context.BotDM],
    options: listed(commands),
  },
  {
    type: ApplicationCommandType.Message,
    name: ASK_ABOUT,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild],
  },
];

/** Discord accepts 25 entries for a command, so the last commands form a group. */
const listed = (commands: readonly OfferedCommand[]): readonly object[] => {
  const all = commands.map(({ name, does, options }) => ({
    type: Option.Subcommand,
    name,
    description: does,
    options: options.map(optionOf),
  }));
  if (all.length <= MAX_LISTED) return all;
  const group = {
    type: Option.SubcommandGroup,
    name: "more",
    description: "Further commands" satisfies Label,
    options: all.slice(MAX_LISTED - 1),
  };
  return [...all.slice(0, MAX_LISTED - 1), group];
};

const optionOf = ({ name, does, form, choices, required, max }: OfferedOption): object => ({
  type: form === "channel" ? Option.Channel : Option.String,
  name,
  description: does,
  ...omitUndefined({
    choices: choices?.map((one) => ({ name: one, value: one })),
    required,
    max_length: max,
  }),
});

/**
 * Discord locales of translated descriptions. Command names are typed, so they are the same in every
 * language.
 */
const LOCALES: Readonly<Record<string, Language>> = {
  de: "de",
  "es-ES": "es",
  "es-419": "es",
  ja: "ja",
  "zh-CN": "zh",
};

const inLocales = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(LOCALES).map(([tag, language]) => [tag, sayIn(language).stored(text)]));

const localised = (one: object): object =>
  Object.fromEntries(
    Object.entries(one).flatMap(([field, value]): readonly (readonly [string, unknown])[] => {
      if (field === "options" && Array.isArray(value)) return [[field, value.map(localised)]];
      const isShown = field === "description" || (field === "name" && value === ASK_ABOUT);
      return isShown && typeof value === "string"
        ? [
            [field, value],
            [`${field}_localizations`, inLocales(value)],
          ]
        : [[field, value]];
    }),
  );

/**
 * Registers the commands. `guild`: registers only on this server and immediately, for development; null registers
 * everywhere.
 * An earlier registration elsewhere is removed, because people would see each command twice. A failure is
 * logged, and the registered commands remain.
 */
export const registerCommands = async (
  { calls, notes, log }: { readonly calls: DiscordCalls; readonly notes: HostNotes; readonly log: Log },
  commands: readonly OfferedCommand[],
  application: string,
  guild: string | null,
): Promise<void> => {
  const write = (scope: string, body: readonly object[]): Promise<unknown> =>
    calls.call("PUT", `/applications/${application}${scope}/commands`, { body });
  const scope = guild === null ? "" : `/guilds/${guild}`;
  const before = notes.note(NOTE);
  await discordCourtesy(log, "discord: commands not registered", async () => {
    await write(scope, applicationCommands(commands).map(localised));
    if (before === scope) return;
    if (before !== null) await write(before, []).catch(unlessGone);
    await notes.setNote(NOTE, scope);
  });
};

/**
 * Ignores permanent errors, because a server that the bot has left lists no commands. The next start repeats
 * the rest.
 */
const unlessGone = (error: unknown): void => {
  if (discordUnreadOf(error).passing) throw error;
};

const NOTE = "discord.commands";
