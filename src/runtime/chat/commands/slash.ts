/**
 * `/parley …` outside of threads, answered to the person alone. What waits in private channels is told in them and
 * nowhere else.
 */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Waiting } from "../../../ports/chat-rows.ts";
import type { Ask, Handled, Slash } from "../../../ports/chat.ts";
import type { Asking, ChatDeps } from "../deps.ts";
import { approversText, modesText, slashHelpText } from "../reply-texts.ts";
import { durationText } from "../../../thread/durations.ts";
import type { Label, Sentence } from "../../../words/say.ts";
import { channel } from "./channels.ts";
import { type Command, orderOf, parseTyped } from "./command.ts";
import { DIGEST_HOW } from "./digest.ts";
import { memberOf } from "./member.ts";
import { runCommand } from "./run-command.ts";
import { asksTwo, idsOf, rightsOf } from "./rights.ts";

export const hearSlash = async (
  deps: ChatDeps,
  asked: (ask: Ask) => Promise<Handled>,
  slash: Slash,
): Promise<Handled> => {
  const [word, rest] = splitWord(slash.text);
  if (word === "ask") return asked({ ...slash, text: rest, about: null });
  const member = await memberOf(deps, slash.person);
  const told =
    typeof member === "string" ? member : answer({ ...deps, say: member.say }, slash, member.person);
  await slash.reply(await told);
  return "done";
};

const splitWord = (text: string): readonly [string, string] => {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([^]*)$/u.exec(text) ?? [];
  return [word.toLowerCase().replace(/:$/, ""), rest];
};

const answer = async (deps: ChatDeps, slash: Slash, person: Person): Promise<string> => {
  const [word, rest] = splitWord(slash.text);
  const parsed = parseTyped(slash);
  const asking = { ...slash, root: null };
  const run = async (command: Command): Promise<string> =>
    (await runCommand(deps, command, asking, null, person)) ?? "";
  const typed = parsed.kind === "command" ? parsed.command : null;
  switch (word) {
    case "pending":
      return pending(deps, slash);
    case "approvers":
    case "default-mode":
    case "language":
    case "model":
      if (word === "approvers" && rest.trim() === "") return approvers(deps, asking, person);
      return typed === null ? deps.say("That is none of {commands}.", { commands: SETTINGS }) : run(typed);
    case "status":
      return placeStatus(deps, slash);
    case "repo":
    case "tools":
    case "knowledge":
    case "review":
    case "budget":
      return run(typed ?? { kind: word, change: null });
    case "digest":
      return typed === null ? deps.say(DIGEST_HOW) : run(typed);
    case "watch":
    case "watches":
    case "unwatch":
    case "every":
      return run({ kind: "watch", word, rest: splitWord(orderOf(slash))[1] });
    case "instructions": {
      const text = rest.replace(/^:\s*/u, "");
      return run(typed ?? { kind: "instructions", change: { text } });
    }
    case "mode":
      return /^(un)?restricted$/iu.test(rest.trim())
        ? inThread(deps, `mode ${rest.trim().toLowerCase()}`)
        : `${modesText(deps.modes, null, deps.say)}\n${deps.say("Switch in a thread: `{mention} mode NAME`.", { mention: deps.mention })}`;
    case "rename":
    case "archive":
    case "delete":
      return inThread(deps, word === "rename" ? "rename: NAME" : word);
    case "help":
    case "":
      return slashHelpText(deps.mention, deps.name, deps.say);
    default:
      return `${deps.say("There is no `/parley {word}`.", { word: word.slice(0, 40) })}\n${slashHelpText(deps.mention, deps.name, deps.say)}`;
  }
};

const inThread = ({ say, mention }: ChatDeps, command: string): string =>
  say("Say it in the thread that you mean: `{command}`.", { command: `${mention} ${command}` });

const SETTINGS =
  "`/parley default-mode NAME`, `/parley model NAME`, `/parley language CODE`, `/parley approvers add @person`, `/parley approvers remove @person`";

const pending = async (deps: ChatDeps, { place }: Slash): Promise<string> => {
  const waiting = deps.store.waiting(deps.name);
  const readable = await Promise.all(waiting.map((one) => mayBeTold(deps, one, place)));
  const told = waiting.filter((_, index) => readable[index]);
  const lines = await Promise.all(told.map((one) => line(deps, one)));
  const hidden = waiting.length - told.length;
  const { say } = deps;
  if (waiting.length === 0) return say(NONE_WAITS);
  return [
    ...(lines.length === 0 ? [] : [say("Waiting for an answer:"), ...lines]),
    ...(hidden === 0 ? [] : [say(HIDDEN, { count: hidden })]),
  ].join("\n");
};

const NONE_WAITS: Label = "No question waits for an answer.";
const HIDDEN =
  "{count} more in private channels and direct messages: ask there with `/parley pending`." satisfies Sentence;

/** Public, or asked for where it stands. Where Slack does not say who can read it, it is told nowhere else. */
const mayBeTold = async (deps: ChatDeps, { place }: Waiting, from: string): Promise<boolean> =>
  place === from || (await deps.platform.audience(place)) === "public";

const line = async (deps: ChatDeps, { place, root, title, askedAt }: Waiting): Promise<string> => {
  const link = await deps.platform.link(place, root);
  const since = deps.say("for {time}", { time: durationText(deps.clock.now() - askedAt, deps.say) });
  return `• ${title}: ${since}${link === null ? "" : `, ${link}`}`;
};

const approvers = async (deps: ChatDeps, asking: Asking, person: Person): Promise<string> => {
  const { policy, platform } = deps;
  const own = await channel(deps, { kind: "approvers", change: null }, asking, person);
  const names = await Promise.all(idsOf(policy.approvers).map(platform.label));
  const { say } = deps;
  const you = say(rightsOf(policy, person).mayApprove ? "You may." : "You may not.");
  const two = asksTwo(policy, asking.direct)
    ? ` ${say("Nobody decides what their own turn asked for.")}`
    : "";
  return `${approversText(policy, names, say)} ${you}${two}\n${own}`;
};

const placeStatus = ({ store, name, repos, say }: ChatDeps, { place }: Slash): string => {
  const bound = store.binding(name, place);
  const repo = bound === null ? null : repos.nameOf(bound.repo);
  const count = store.waiting(name).filter((one) => one.place === place).length;
  return [
    repo === null
      ? say("No repository is chosen here: `/parley repo owner/name`.")
      : say("This channel works on {repo}.", { repo }),
    count === 0 ? say(NONE_WAITS) : say("{count} questions wait: `/parley pending`.", { count }),
  ].join("\n");
};
