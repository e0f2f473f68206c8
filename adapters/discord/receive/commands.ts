/** Parley's commands as Discord lists them. Written in whole, so writing them again changes nothing. */

import {
  ApplicationCommandType,
  InteractionContextType as Context,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Notes } from "../../../src/ports/alerts.ts";
import type { OfferedCommand, OfferedOption } from "../../../src/ports/commands.ts";
import type { Log } from "../../../src/ports/host.ts";
import { given } from "../../../src/text/given.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import type { Label, Language } from "../../../src/i18n/say.ts";
import { courtesy, unreadOf } from "../read/people.ts";
import { ASK, ASK_ABOUT, PARLEY } from "../read/read.ts";
import type { DiscordCalls } from "../api/calls.ts";

const MAX_QUESTION = 1_500;

/** Who may use commands of apps at all; the start from which a server's admins restrict each. */
const EVERYBODY = String(PermissionFlagsBits.UseApplicationCommands);

/** Server admins restrict them under Integrations; who may approve is decided at every click. */
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
        description: "Only you, moderators and people you invite can see it" satisfies Label,
      },
    ],
  },
  {
    type: ApplicationCommandType.ChatInput,
    name: PARLEY,
    description: "Control Parley in this thread" satisfies Label,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild, Context.BotDM],
    options: commands.map(({ name, does, options }) => ({
      type: Option.Subcommand,
      name,
      description: does,
      options: options.map(optionOf),
    })),
  },
  {
    type: ApplicationCommandType.Message,
    name: ASK_ABOUT,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild],
  },
];

const optionOf = ({ name, does, form, choices, required, max }: OfferedOption): object => ({
  type: form === "channel" ? Option.Channel : Option.String,
  name,
  description: does,
  ...given({ choices: choices?.map((one) => ({ name: one, value: one })), required, max_length: max }),
});

/** Names are typed, and are the same in every language; what says what they do is read. */
const LOCALES: Readonly<Record<string, Language>> = {
  de: "de",
  "es-ES": "es",
  "es-419": "es",
  ja: "ja",
  "zh-CN": "zh",
};

const inLocales = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(LOCALES).map(([tag, language]) => [tag, sayIn(language).stored(text)]));

/** With what Discord shows to people who use it in another language. */
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
 * `guild`: only there and at once, for development; null everywhere. What stood elsewhere before is taken away, or people
 * would find each command twice. A failure is logged: what is registered stays.
 */
export const registerCommands = async (
  { calls, notes, log }: { readonly calls: DiscordCalls; readonly notes: Notes; readonly log: Log },
  commands: readonly OfferedCommand[],
  application: string,
  guild: string | null,
): Promise<void> => {
  const write = (scope: string, body: readonly object[]): Promise<unknown> =>
    calls.call("PUT", `/applications/${application}${scope}/commands`, { body });
  const scope = guild === null ? "" : `/guilds/${guild}`;
  const before = notes.note(NOTE);
  await courtesy(log, "discord: the commands could not be registered; they stay as they were", async () => {
    await write(scope, applicationCommands(commands).map(localised));
    if (before === scope) return;
    if (before !== null) await write(before, []).catch(unlessGone);
    await notes.setNote(NOTE, scope);
  });
};

/** A server that the bot has left takes nothing and shows nothing; what may pass is tried again by the next start. */
const unlessGone = (error: unknown): void => {
  if (unreadOf(error).passing) throw error;
};

const NOTE = "discord.commands";
