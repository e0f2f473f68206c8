import type { Person } from "../../../ports/chat-platform.ts";
import type { CommandQuestion, HandleResult, ChatMessage, Slash } from "../../../ports/chat.ts";
import type { OfferedCommand } from "../../../ports/commands.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { Say } from "../../../i18n/say.ts";
import type { ChatDeps } from "../people/deps.ts";
import type { Command, CommandTexts, CommandListing, ParsedCommand } from "./define-command.ts";
import { memberOf } from "../people/member.ts";
import { compared, type Option, type CommandReading } from "./options.ts";

export type ParsedMessage =
  | { readonly kind: "command"; readonly order: ParsedCommand }
  /** The bot asks instead of guessing. */
  | { readonly kind: "near"; readonly typed: string; readonly meant: string }
  | { readonly kind: "message" };

export interface Commands extends CommandTexts {
  readonly all: readonly Command[];
  /** Ignores case, full stops and letter variants of other scripts. A leading `/` is allowed. */
  readonly parse: (text: string) => ParsedMessage;
  /** A stop needs no mention of the bot. */
  readonly stops: (text: string) => boolean;
  readonly slash: (
    deps: ChatDeps,
    asked: (ask: CommandQuestion) => Promise<HandleResult>,
    slash: Slash,
  ) => Promise<HandleResult>;
  readonly menu: readonly OfferedCommand[];
}

export const createCommands = (all: readonly Command[]): Commands => {
  const byWord = new Map(all.flatMap((one) => one.words.map((word) => [word, one] as const)));
  const alone = [...byWord].flatMap(([word, one]) => (one.read(NO_WORDS) === null ? [] : [word]));
  const withText = all.filter(({ isText }) => isText).map(({ words }) => words[0]);
  const colon = new RegExp(`^\\s*/?(${withText.join("|")}):\\s*(\\S[^]*)$`, "iu");

  const split = (text: string): readonly [word: string, reading: CommandReading] => {
    const [, name = "", own = ""] = colon.exec(text) ?? [];
    if (name !== "") return [name.normalize("NFKC").toLowerCase(), { kind: "text", text: own }];
    const [first = "", ...words] = compared(text).split(" ");
    const [, ...typed] = text.trim().split(/\s+/u);
    return [first, { kind: "words", words, typed }];
  };

  const parse = (text: string): ParsedMessage => {
    const [word, reading] = split(text);
    const order = byWord.get(word)?.read(reading) ?? null;
    if (order !== null) return { kind: "command", order };
    const isAlone = reading.kind === "words" && reading.words.length === 0;
    // Short words resemble many commands: "so" is not "stop".
    const meant = isAlone && word.length >= 4 ? alone.find((one) => isOneSlip(word, one)) : undefined;
    return meant === undefined ? { kind: "message" } : { kind: "near", typed: word, meant };
  };

  const texts: CommandTexts = {
    threadHelp: (mention, forms, say) => {
      const names = ordered(all, "thread").flatMap(({ help }) => help.thread ?? []);
      return [
        say(
          "Mention {mention} with a question or a task. In your own thread, you can reply without a mention.",
          {
            mention,
          },
        ),
        say("In a thread: {commands}.", {
          commands: names.map((name, index) => `\`${index === 0 ? `${mention} ` : ""}${name}\``).join(" · "),
        }),
        ...all.flatMap(({ help }) => help.more?.(say, forms) ?? []),
        say(
          "A :x: reaction also stops the agent. Approve and Deny are buttons below a question. Votes below an answer (👍, 👎 and Solved) are counted without your name.",
        ),
      ].join("\n");
    },
    channelHelp: (mention, forms, say) =>
      [
        ordered(all, "channel")
          .flatMap((one) => channelLine(one, say))
          .join(" · "),
        texts.threadHelp(mention, forms, say),
      ].join("\n"),
    statusLines: (context, state) => all.flatMap((one) => one.statusLine?.(context, state) ?? []),
  };

  const answer = async (deps: ChatDeps, slash: Slash, person: Person): Promise<string> => {
    const [word, rest] = splitWord(slash.text);
    const run = all.find(({ words }) => words.includes(word))?.slash ?? null;
    const help = texts.channelHelp(deps.mention, deps.forms, deps.say);
    if (word === "") return help;
    if (run === null || run === "question")
      return `${deps.say("There is no `/parley {word}`.", { word: word.slice(0, 40) })}\n${help}`;
    const typed = orderOf(slash);
    const [first, reading] = split(typed);
    const context = { deps, asking: { ...slash, root: null }, person, conversation: null, commands: texts };
    return run(context, { reading: first === word ? reading : null, rest, typed: splitWord(typed)[1] });
  };

  return {
    ...texts,
    all,
    parse,
    stops: (text) => {
      const parsed = parse(text);
      return parsed.kind === "command" && parsed.order.isUrgent;
    },
    slash: async (deps, asked, slash) => {
      const [word, rest] = splitWord(slash.text);
      if (byWord.get(word)?.slash === "question") return asked({ ...slash, text: rest, about: null });
      const member = await memberOf(deps, slash.person);
      const told =
        typeof member === "string" ? member : answer({ ...deps, say: member.say }, slash, member.person);
      await slash.reply(await told);
      return "done";
    },
    menu: ordered(all, "menu")
      .filter(({ isOffered }) => isOffered)
      .map(offeredAs),
  };
};

/** The part after a colon is the person's own text and keeps its names. */
export const orderOf = ({ text, typed = text }: Pick<ChatMessage, "text" | "typed">): string => {
  const [colon, own] = [typed.indexOf(":"), text.indexOf(":")];
  return colon === -1 || own === -1 ? typed : `${typed.slice(0, colon)}${text.slice(own)}`;
};

const NO_WORDS: CommandReading = { kind: "words", words: [], typed: [] };

const splitWord = (text: string): readonly [string, string] => {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([^]*)$/u.exec(text) ?? [];
  return [word.toLowerCase().replace(/:$/, ""), rest];
};

/** A command with `before` is placed directly before that command. */
const ordered = (all: readonly Command[], listing: CommandListing): readonly Command[] => {
  const depthOf = ({ help }: Command): number => {
    const next = all.find(({ words }) => words[0] === help.before?.[listing]);
    return next === undefined ? 0 : 1 + depthOf(next);
  };
  let order = all;
  for (const one of all.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const next = one.help.before?.[listing];
    const others = order.filter((other) => other !== one);
    const index = others.findIndex(({ words }) => words[0] === next);
    if (index !== -1) order = others.toSpliced(index, 0, one);
  }
  return order;
};

const channelLine = ({ help: { channel } }: Command, say: Say): readonly string[] => {
  if (channel === undefined) return [];
  return [typeof channel === "string" ? say(channel) : channel.code];
};

const offeredAs = ({ words, help, options, isText }: Command): OfferedCommand => ({
  name: words[0],
  does: help.does,
  options: options.map(offeredOption),
  isText,
  takesNames: options.some(({ isName }) => isName),
});

const offeredOption = ({ name, does, form, choices, required, max }: Option<unknown>) => ({
  name,
  does,
  form,
  ...omitUndefined({ choices, required, max }),
});

/** Whether one letter is added, missing or replaced, or two neighbors are swapped. "hello" is not "help". */
const isOneSlip = (typed: string, meant: string): boolean => {
  let same = 0;
  while (same < typed.length && typed[same] === meant[same]) same += 1;
  const [t, m] = [typed.slice(same), meant.slice(same)];
  const swapped = `${t[1] ?? ""}${t[0] ?? ""}${t.slice(2)}`;
  return [t.slice(1) === m.slice(1), t.slice(1) === m, t === m.slice(1), swapped === m].includes(true);
};
