/**
 * `/parley …` outside of threads, answered to the person alone. What waits in private channels is told in them and
 * nowhere else.
 */

import type { Person } from "../../../ports/chat-platform.ts";
import type { Waiting } from "../../../ports/chat-rows.ts";
import type { Ask, Handled, Slash } from "../../../ports/chat.ts";
import { type ChatDeps, toPerson } from "../deps.ts";
import {
  approversText,
  modesText,
  placeStatusText,
  slashHelpText,
  strangerText,
  unreadPersonText,
  waitingText,
} from "../reply-texts.ts";
import { durationText } from "../../../thread/durations.ts";
import { channel } from "./channels.ts";
import { type Command, parseCommand } from "./command.ts";
import { DIGEST_HOW } from "./digest.ts";
import { runCommand } from "./run-command.ts";
import { asksTwo, groupsOf, rightsOf } from "./rights.ts";

export const createSlash =
  (deps: ChatDeps, asked: (ask: Ask) => Promise<Handled>) =>
  async (slash: Slash): Promise<Handled> => {
    const [word, rest] = splitWord(slash.text);
    if (word === "ask") return asked({ ...slash, text: rest, about: null });
    const read = await deps.platform.person(slash.person, groupsOf(deps.policy));
    if (read.kind === "unread") await slash.reply(unreadPersonText(read.why, deps.say));
    else if (read.person.standing !== "member")
      await slash.reply(strangerText(read.person.standing, toPerson(deps, read.person).say));
    else await slash.reply(await answer(toPerson(deps, read.person), slash, read.person));
    return "done";
  };

const splitWord = (text: string): readonly [string, string] => {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([^]*)$/u.exec(text) ?? [];
  return [word.toLowerCase().replace(/:$/, ""), rest];
};

const answer = async (deps: ChatDeps, slash: Slash, person: Person): Promise<string> => {
  const [word, rest] = splitWord(slash.text);
  switch (word) {
    case "pending":
      return pending(deps, slash);
    case "approvers":
      return rest.trim() === "" ? approvers(deps, slash, person) : changed(deps, slash, person);
    case "default-mode":
    case "language":
    case "model":
      return changed(deps, slash, person);
    case "status":
      return placeStatus(deps, slash);
    case "repo":
    case "tools":
    case "knowledge":
    case "review":
    case "budget": {
      const parsed = parseCommand(slash.text);
      const bare: Command = { kind: word, change: null };
      const command = parsed.kind === "command" ? parsed.command : bare;
      return (await runCommand(deps, command, { ...slash, root: null }, null, person)) ?? "";
    }
    case "digest": {
      const parsed = parseCommand(slash.text);
      return parsed.kind === "command"
        ? ((await runCommand(deps, parsed.command, { ...slash, root: null }, null, person)) ?? "")
        : deps.say(DIGEST_HOW);
    }
    case "watch":
    case "watches":
    case "unwatch":
    case "every":
      return (
        (await runCommand(deps, { kind: "watch", word, rest }, { ...slash, root: null }, null, person)) ?? ""
      );
    case "instructions": {
      const parsed = parseCommand(slash.text);
      const text = rest.replace(/^:\s*/u, "");
      const typed: Command = { kind: "instructions", change: { kind: "set", text } };
      const command = parsed.kind === "command" ? parsed.command : typed;
      return (await runCommand(deps, command, { ...slash, root: null }, null, person)) ?? "";
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

const changed = async (deps: ChatDeps, slash: Slash, person: Person): Promise<string> => {
  const parsed = parseCommand(slash.text);
  return parsed.kind === "command"
    ? ((await runCommand(deps, parsed.command, { ...slash, root: null }, null, person)) ?? "")
    : deps.say("That is none of {commands}.", {
        commands:
          "`/parley default-mode NAME`, `/parley model NAME`, `/parley language CODE`, `/parley approvers add @person`, `/parley approvers remove @person`",
      });
};

const pending = async (deps: ChatDeps, { place }: Slash): Promise<string> => {
  const waiting = deps.store.waiting(deps.name);
  const readable = await Promise.all(waiting.map((one) => mayBeTold(deps, one, place)));
  const told = waiting.filter((_, index) => readable[index]);
  const lines = await Promise.all(told.map((one) => line(deps, one)));
  return waitingText(lines, waiting.length - told.length, deps.say);
};

/** Public, or asked for where it stands. Where Slack does not say who can read it, it is told nowhere else. */
const mayBeTold = async (deps: ChatDeps, { place }: Waiting, from: string): Promise<boolean> =>
  place === from || (await deps.platform.audience(place)) === "public";

const line = async (deps: ChatDeps, { place, root, title, askedAt }: Waiting): Promise<string> => {
  const link = await deps.platform.link(place, root);
  const since = deps.say("for {time}", { time: durationText(deps.clock.now() - askedAt, deps.say) });
  return `• ${title}: ${since}${link === null ? "" : `, ${link}`}`;
};

const approvers = async (deps: ChatDeps, slash: Slash, person: Person): Promise<string> => {
  const { policy, platform } = deps;
  const own = await channel(deps, { kind: "approvers", change: null }, { ...slash, root: null }, person);
  const named = policy.approvers.flatMap((one) =>
    one.kind === "person" || one.kind === "group" ? [one.id] : [],
  );
  const names = await Promise.all(named.map((id) => platform.label(id)));
  const { say } = deps;
  const you = say(rightsOf(policy, person).mayApprove ? "You may." : "You may not.");
  const two = asksTwo(policy, slash.direct) ? ` ${say("Nobody decides what their own turn asked for.")}` : "";
  return `${approversText(policy, names, say)} ${you}${two}\n${own}`;
};

const placeStatus = ({ store, name, repos, say }: ChatDeps, { place }: Slash): string => {
  const bound = store.binding(name, place);
  const repo = bound === null ? null : repos.nameOf(bound.repo);
  return placeStatusText(repo, store.waiting(name).filter((one) => one.place === place).length, say);
};
