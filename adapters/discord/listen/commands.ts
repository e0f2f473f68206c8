/** Parley's commands as Discord lists them. Written in whole, so writing them again changes nothing. */

import {
  ApplicationCommandType,
  InteractionContextType as Context,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Notes } from "../../../src/ports/alerts.ts";
import type { Log } from "../../../src/ports/host.ts";
import { sayIn } from "../../../src/words/languages.ts";
import type { Label, Language } from "../../../src/words/say.ts";
import { courtesy, unreadOf } from "../read/people.ts";
import { ASK, ASK_ABOUT, PARLEY } from "../read/read.ts";
import type { Calls } from "../write/api.ts";

const MAX_QUESTION = 1_500;
const WHOLE = { required: true, max_length: MAX_QUESTION };

const text = (name: string, description: Label, more: object = {}) => ({
  type: Option.String,
  name,
  description,
  ...more,
});

const choices = (...all: readonly string[]) => ({ choices: all.map((name) => ({ name, value: name })) });

const sub = (name: string, description: Label, options: readonly object[] = []) => ({
  type: Option.Subcommand,
  name,
  description,
  options,
});

/** Who may use commands of apps at all; the start from which a server's admins restrict each. */
const EVERYBODY = String(PermissionFlagsBits.UseApplicationCommands);

/** Server admins restrict them under Integrations; who may approve is decided at every click. */
export const COMMANDS = [
  {
    type: ApplicationCommandType.ChatInput,
    name: ASK,
    description: "Ask about this channel's repository in a new thread",
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild],
    options: [
      text("question", "What you want to know", WHOLE),
      {
        type: Option.Boolean,
        name: "private",
        description: "Only you, moderators and whom you invite see it",
      },
    ],
  },
  {
    type: ApplicationCommandType.ChatInput,
    name: PARLEY,
    description: "Control Parley in this thread",
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild, Context.BotDM],
    options: [
      sub("stop", "Stop what Parley does in this thread"),
      sub("status", "What Parley does, with which rights and version"),
      sub("restrict", "Take write access and network away from this thread"),
      sub("continue", "Go on in a new thread with a summary of this one"),
      sub("retry", "Try the failed turn again"),
      sub("repo", "Show or choose this channel's repository and version (owner/name@branch-or-tag)", [
        text("name", "owner/name, add owner/name [as NAME], or remove NAME; needs Manage Server"),
      ]),
      sub("mode", "Show the work modes, or switch this thread to one", [
        text("name", "Key of the mode, restricted or unrestricted; without it, those there are"),
      ]),
      sub("default-mode", "Show or set the work mode that conversations of this channel begin in", [
        text("name", "Key of the mode, or none; for the host's approvers"),
      ]),
      sub("model", "Show the models, or choose the one that answers in this thread or channel", [
        text("name", "Name of the model, or none; for approvers"),
      ]),
      sub("language", "Show or set the language that Parley speaks in this channel", [
        text("code", "en, de, es, ja, zh or auto; for the host's approvers"),
      ]),
      sub("approvers", "Whom this channel names to approve; naming somebody is for the host's approvers", [
        text("change", "What to do", choices("add", "remove")),
        text("who", "A person or a role, as a mention"),
      ]),
      sub("tools", "MCP servers that this channel may use; switching one on is for the host's approvers", [
        text("change", "What to do", choices("add", "remove", "accept")),
        text("server", "Its name"),
        text("code", "What accepts its tools; without it, you are told"),
      ]),
      sub("budget", "What may be spent on the model here today; setting it needs the right to approve", [
        text("of", "Whose budget to set: channel, server or a person (@name)"),
        text("dollars", "US dollars a day, or none"),
      ]),
      sub(
        "instructions",
        "What conversations of this channel are told; setting it needs the right to approve",
        [
          text("text", "The instructions, or clear; without it, those there are", {
            max_length: MAX_QUESTION,
          }),
        ],
      ),
      sub(
        "knowledge",
        "What conversations here know beside the checkout; adding is for the host's approvers",
        [
          text("change", "What to do", choices("add", "remove", "refresh")),
          text("sources", "issues, discussions, releases, wiki, threads, or addresses of documentation", {
            max_length: MAX_QUESTION,
          }),
        ],
      ),
      sub(
        "digest",
        "How a week's questions went, told every Monday; switching it on is for the host's approvers",
        [
          text("change", "What to do; without it, where it is told", choices("on", "off", "now")),
          { type: Option.Channel, name: "channel", description: "Another channel than this one" },
        ],
      ),
      sub(
        "review",
        "Whether somebody looks at answers here before they are posted; for the host's approvers",
        [
          text("change", "What to do; without it, how it is", choices("on", "off")),
          text("channel", "The channel of those who look, as #channel"),
        ],
      ),
      sub("watches", "What begins threads in this channel by itself"),
      sub("every", "Begin a thread at set times; for the host's approvers", [
        text("schedule", "weekday 09:00 Europe/Berlin: what to do", WHOLE),
      ]),
      sub("watch", "Begin threads for events, or change how; for the host's approvers", [
        text("what", "github issues, hook NAME: what to do; or NAME pause, resume, limit 6 2.50", WHOLE),
      ]),
      sub("unwatch", "Remove a watch; for the host's approvers", [
        text("name", "Its name", { required: true, max_length: 40 }),
      ]),
      sub("rename", "Give this thread's conversation another name", [
        text("name", "The new name", { required: true, max_length: 200 }),
      ]),
      sub("archive", "Stop it and take it off the console's list; it comes back when somebody writes"),
      sub("delete", "Delete what Parley holds of this conversation; needs the right to approve", [
        text("code", "What confirms it; without it, you are told"),
      ]),
      sub("help", "How to work with Parley"),
    ],
  },
  {
    type: ApplicationCommandType.Message,
    name: ASK_ABOUT,
    default_member_permissions: EVERYBODY,
    contexts: [Context.Guild],
  },
] as const;

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
  { calls, notes, log }: { readonly calls: Calls; readonly notes: Notes; readonly log: Log },
  application: string,
  guild: string | null,
): Promise<void> => {
  const write = (scope: string, body: readonly object[]): Promise<unknown> =>
    calls.call("PUT", `/applications/${application}${scope}/commands`, { body });
  const scope = guild === null ? "" : `/guilds/${guild}`;
  const before = notes.note(NOTE);
  await courtesy(log, "discord: the commands could not be registered; they stay as they were", async () => {
    await write(scope, COMMANDS.map(localised));
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
