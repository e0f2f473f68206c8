/**
 * Defines a command of chat as one object: its words, rights, parser, help and action. All other uses derive from this object.
 */

import type { ConversationId } from "../../../machine/id.ts";
import type { State } from "../../../machine/state.ts";
import type { PlatformForms } from "../../../ports/platform-entry.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../people/deps.ts";
import { noConversation } from "./act.ts";
import type { Option, CommandReading } from "./options.ts";
import { type Right, rightsOf } from "../people/rights.ts";

/** The list of all commands, as single commands use it. */
export interface CommandTexts {
  readonly threadHelp: (mention: string, forms: PlatformForms, say: Say) => string;
  readonly channelHelp: (mention: string, forms: PlatformForms, say: Say) => string;
  /** Returns the lines that commands add to the status of a conversation. */
  readonly statusLines: (context: CommandContext, state: State) => readonly string[];
}

/** Person who uses the command, and the location. */
export interface CommandContext {
  readonly deps: ChatDeps;
  readonly asking: RequestingPerson;
  readonly person: Person;
  /** Null outside of conversations. */
  readonly conversation: ConversationId | null;
  readonly commands: CommandTexts;
}

interface InConversation extends CommandContext {
  readonly conversation: ConversationId;
}

/** Reply to the person; null if the thread itself shows the result. */
type Answer = Promise<string | null> | string | null;

interface Help {
  /** At most 100 characters, for platforms that list commands. */
  readonly does: Label;
  /** Name in the help of a thread; absent if the command is omitted there. */
  readonly thread?: string;
  /** Line in the help of `/parley`; absent if there is none. */
  readonly channel?: Label | { readonly code: string };
  /** Line below the names. */
  readonly more?: (say: Say, forms: PlatformForms) => string;
  /** Commands directly after this one in each listing; absent to use the order of the list. */
  readonly before?: Readonly<Partial<Record<CommandListing, string>>>;
}

/** The help in threads, the help of `/parley`, the commands that a platform lists. */
export type CommandListing = "thread" | "channel" | "menu";

type Rights<Asked> =
  | "everybody"
  /** The conversation checks this right and words the refusal. */
  | { readonly conversationChecks: Right }
  | {
      readonly right: Right;
      readonly refusal: Label;
      /** Whether a person without the right may ask this; absent if such a person may ask nothing. */
      readonly isFree?: (asked: Asked, context: CommandContext) => boolean | Promise<boolean>;
    };

export interface SlashCall<Asked> {
  readonly context: CommandContext;
  /** Undefined if the words cannot be parsed. */
  readonly asked: Asked | undefined;
  /** The text after the name. `typed`: the same with ids instead of names. */
  readonly rest: string;
  readonly typed: string;
  readonly run: (asked: Asked) => Promise<string>;
}

type Slash<Asked> = (call: SlashCall<Asked>) => Promise<string> | string;

interface Definition<Asked> {
  /** The name, followed by its synonyms. */
  readonly words: readonly [string, ...string[]];
  readonly options: readonly Option<unknown>[];
  /** Undefined if the words are no command. */
  readonly read: (valueOf: ValueOf) => Asked | undefined;
  readonly rights: Rights<Asked>;
  readonly help: Help;
  /** False if platforms that list commands omit this one. */
  readonly isOffered?: false;
  /** `/parley NAME …` outside of threads; absent if there is no such form. */
  readonly slash?: Slash<Asked>;
  /** Set for a command that needs no mention and does not queue behind others of its thread. */
  readonly isUrgent?: true;
  readonly statusLine?: (context: CommandContext, state: State) => string | null;
}

/** Value of one of the command's options; null if absent. */
type ValueOf = <Value>(option: Option<Value>) => Value | null;

/** A parsed command, ready to run. */
export interface ParsedCommand {
  readonly command: string;
  readonly asked: unknown;
  readonly isUrgent: boolean;
  readonly run: (context: CommandContext) => Promise<string | null>;
}

export interface Command extends Pick<Definition<unknown>, "words" | "options" | "help"> {
  readonly isOffered: boolean;
  readonly where: "thread" | "anywhere" | "channel";
  /** Null if all people may use the command. */
  readonly right: Right | null;
  readonly isText: boolean;
  /** Null if the words are no command. */
  readonly read: (reading: CommandReading) => ParsedCommand | null;
  /** `question`: the rest is a question that opens a thread. */
  readonly slash: "question" | ((context: CommandContext, said: SlashWords) => Promise<string>) | null;
  readonly statusLine: NonNullable<Definition<unknown>["statusLine"]> | null;
}

interface SlashWords extends Pick<SlashCall<unknown>, "rest" | "typed"> {
  /** Null if the words do not have the form of a command. */
  readonly reading: CommandReading | null;
}

/** For a command without options. */
export const NO_OPTIONS = { options: [], read: () => null } as const;

/** Defines a command for channels and threads. */
export const defineCommand = <Asked>(
  definition: Definition<Asked> & { readonly run: (context: CommandContext, asked: Asked) => Answer },
): Command => commandOf(definition, "anywhere", definition.run);

/** Defines a command that needs a conversation. */
export const defineThreadCommand = <Asked>(
  definition: Definition<Asked> & { readonly run: (context: InConversation, asked: Asked) => Answer },
): Command =>
  commandOf(definition, "thread", (context, asked) => {
    const { conversation } = context;
    return conversation === null
      ? noConversation(context.deps)
      : definition.run({ ...context, conversation }, asked);
  });

/** Defines a command that only `/parley` accepts. */
export const defineSlashCommand = (
  definition: Pick<Definition<null>, "words" | "help"> & {
    readonly rights: "everybody";
    readonly run: "question" | ((context: CommandContext) => Promise<string>);
  },
): Command => ({
  ...definition,
  where: "channel",
  right: null,
  options: [],
  isOffered: false,
  isText: false,
  read: () => null,
  slash: definition.run,
  statusLine: null,
});

/** Runs the command in a channel as in a thread. Unparsed words count as no option. */
export const asInThread = <Asked>({ asked, run }: SlashCall<Asked | null>): Promise<string> =>
  run(asked === undefined ? null : asked);

/** Names the command that the person should send in the thread. */
export const inThread = ({ say, mention }: ChatDeps, command: string): string =>
  say("Use this in the thread that you mean: `{command}`.", { command: `${mention} ${command}` });

const commandOf = <Asked>(
  definition: Definition<Asked>,
  where: Command["where"],
  perform: (context: CommandContext, asked: Asked) => Answer,
): Command => {
  const { words, options, help, rights, slash } = definition;
  const takesAll = options.some(({ takes }) => takes === "all");

  const askedIn = (reading: CommandReading): Asked | undefined => {
    if (reading.kind === "words" && !takesAll && reading.words.length > options.length) return undefined;
    if (options.some((one, index) => one.read(reading, index) === undefined)) return undefined;
    return definition.read((one) => one.read(reading, options.indexOf(one)) ?? null);
  };

  const run = async (context: CommandContext, asked: Asked): Promise<string | null> => {
    // Outside of a conversation the command does nothing that could be refused.
    const isRefused =
      (where !== "thread" || context.conversation !== null) && !(await mayAsk(rights, context, asked));
    return isRefused && rights !== "everybody" && "refusal" in rights
      ? context.deps.say(rights.refusal)
      : perform(context, asked);
  };

  return {
    words,
    options,
    help,
    isOffered: definition.isOffered ?? true,
    where,
    right: rightOf(rights),
    isText: options.some(({ takes }) => takes === "text"),
    read: (reading) => {
      const asked = askedIn(reading);
      if (asked === undefined) return null;
      const isUrgent = definition.isUrgent ?? false;
      return { command: words[0], asked, isUrgent, run: (context) => run(context, asked) };
    },
    slash:
      slash === undefined
        ? null
        : async (context, { reading, rest, typed }) =>
            slash({
              context,
              asked: reading === null ? undefined : askedIn(reading),
              rest,
              typed,
              run: async (asked) => (await run(context, asked)) ?? "",
            }),
    statusLine: definition.statusLine ?? null,
  };
};

const rightOf = <Asked>(rights: Rights<Asked>): Right | null => {
  if (rights === "everybody") return null;
  return "conversationChecks" in rights ? rights.conversationChecks : rights.right;
};

const mayAsk = async <Asked>(
  rights: Rights<Asked>,
  context: CommandContext,
  asked: Asked,
): Promise<boolean> =>
  rights === "everybody" ||
  "conversationChecks" in rights ||
  rightsOf(context.deps.policy, context.person)[rights.right] ||
  ((await rights.isFree?.(asked, context)) ?? false);
