import type { ConversationId } from "../../../machine/id.ts";
import type { State } from "../../../machine/state.ts";
import type { PlatformForms } from "../../../ports/platform-entry.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Label, Say } from "../../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../people/deps.ts";
import { noConversation } from "./act.ts";
import type { Option, CommandReading } from "./options.ts";
import { type Right, rightsOf } from "../people/rights.ts";

export interface CommandTexts {
  readonly threadHelp: (mention: string, forms: PlatformForms, say: Say) => string;
  readonly channelHelp: (mention: string, forms: PlatformForms, say: Say) => string;
  readonly statusLines: (context: CommandContext, state: State) => readonly string[];
}

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
  /** Absent if the help in threads omits the command. */
  readonly thread?: string;
  readonly channel?: Label | { readonly code: string };
  readonly more?: (say: Say, forms: PlatformForms) => string;
  /** Name of the command directly after this one. */
  readonly before?: Readonly<Partial<Record<CommandListing, string>>>;
}

export type CommandListing = "thread" | "channel" | "menu";

type Rights<Asked> =
  | "everybody"
  /** The conversation checks this right and words the refusal. */
  | { readonly conversationChecks: Right }
  | {
      readonly right: Right;
      readonly refusal: Label;
      /** Whether a person without the right may ask this. */
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
  readonly isOffered?: false;
  readonly slash?: Slash<Asked>;
  /** Set for a command that needs no mention and does not queue behind others of its thread. */
  readonly isUrgent?: true;
  readonly statusLine?: (context: CommandContext, state: State) => string | null;
}

type ValueOf = <Value>(option: Option<Value>) => Value | null;

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
  readonly read: (reading: CommandReading) => ParsedCommand | null;
  /** `question`: the rest is a question that opens a thread. */
  readonly slash: "question" | ((context: CommandContext, said: SlashWords) => Promise<string>) | null;
  readonly statusLine: NonNullable<Definition<unknown>["statusLine"]> | null;
}

interface SlashWords extends Pick<SlashCall<unknown>, "rest" | "typed"> {
  readonly reading: CommandReading | null;
}

export const NO_OPTIONS = { options: [], read: () => null } as const;

export const defineCommand = <Asked>(
  definition: Definition<Asked> & { readonly run: (context: CommandContext, asked: Asked) => Answer },
): Command => commandOf(definition, "anywhere", definition.run);

export const defineThreadCommand = <Asked>(
  definition: Definition<Asked> & { readonly run: (context: InConversation, asked: Asked) => Answer },
): Command =>
  commandOf(definition, "thread", (context, asked) => {
    const { conversation } = context;
    return conversation === null
      ? noConversation(context.deps)
      : definition.run({ ...context, conversation }, asked);
  });

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

/** Unparsed words count as no option. */
export const asInThread = <Asked>({ asked, run }: SlashCall<Asked | null>): Promise<string> =>
  run(asked === undefined ? null : asked);

export const inThread = ({ say, mention }: ChatDeps, command: string): string =>
  say("Use this command in the thread that you mean: `{command}`.", { command: `${mention} ${command}` });

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
