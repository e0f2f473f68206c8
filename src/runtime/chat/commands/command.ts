/** What a person asks of the host rather than of the agent: the words after a mention or after `/parley`. Pure. */

import { KEPT } from "../../../ports/knowledge/archive.ts";
import { withoutEnd } from "../../../text/trim-end.ts";

export type Command =
  | { readonly kind: "stop" }
  | { readonly kind: "status" }
  | { readonly kind: "restrict" }
  | { readonly kind: "unrestrict" }
  | { readonly kind: "continue" }
  | { readonly kind: "retry" }
  | { readonly kind: "help" }
  /** Null asks what there is. */
  | { readonly kind: "repo"; readonly change: RepoChange | null }
  | { readonly kind: "mode"; readonly mode: string | null }
  /** Of the thread, or of the channel outside of one; null asks what there is. */
  | { readonly kind: "model"; readonly model: string | null }
  | { readonly kind: "safeMode"; readonly on: boolean | null }
  | { readonly kind: "rename"; readonly title: string | null }
  | { readonly kind: "archive" }
  /** Null asks for the code that confirms it. */
  | { readonly kind: "delete"; readonly code: string | null }
  | { readonly kind: "instructions"; readonly change: InstructionsChange }
  /** The work mode of the channel's new conversations; null asks for it, `none` is the usual one. */
  | { readonly kind: "defaultMode"; readonly mode: string | null }
  /** That the host speaks in the channel, `auto` as its platform has it; null asks for it. */
  | { readonly kind: "language"; readonly language: string | null }
  /** Whom the channel names; null asks for them. */
  | { readonly kind: "approvers"; readonly change: { readonly add: boolean; readonly who: string } | null }
  /** What begins threads by itself here; `rest` is what follows the word, as it was typed. */
  | { readonly kind: "watch"; readonly word: WatchWord; readonly rest: string }
  /** MCP servers of the channel; null asks for them. */
  | { readonly kind: "tools"; readonly change: ToolsChange | null }
  /** What the channel's conversations know beside the checkout; null asks for it. */
  | { readonly kind: "knowledge"; readonly change: KnowledgeChange | null }
  /** How the questions of a week went; null asks where it is told. */
  | { readonly kind: "digest"; readonly change: DigestChange | null }
  /** Whether somebody looks at the channel's answers before they are posted; null asks for it. */
  | { readonly kind: "review"; readonly change: ReviewChange | null }
  /** Null asks what is spent. */
  | { readonly kind: "budget"; readonly change: BudgetChange | null };

/** Names as typed. */
export type RepoChange =
  /** In place of all that there are. */
  | { readonly what: "choose"; readonly repo: string }
  /** `as`: its folder; null: the last part of its name. */
  | { readonly what: "add"; readonly repo: string; readonly as: string | null }
  | { readonly what: "remove"; readonly name: string };

export type WatchWord = "watch" | "watches" | "unwatch" | "every";

export type InstructionsChange =
  | { readonly kind: "show" }
  | { readonly kind: "clear" }
  | { readonly kind: "set"; readonly text: string };

export interface ToolsChange {
  /** `accept`: the server's tools as they are now, with the code that says that somebody looked; null asks for it. */
  readonly what: "add" | "remove" | "accept";
  readonly server: string;
  readonly code: string | null;
}

export interface KnowledgeChange {
  readonly what: "add" | "remove" | "refresh";
  /** As typed; none where all of it is meant. */
  readonly entries: readonly string[];
}

export type DigestChange =
  /** `channel`: the platform's id of another one than where it is said. */
  { readonly what: "on" | "off"; readonly channel: string | null } | { readonly what: "now" };
/** `channel` as it was typed. */
export type ReviewChange = { readonly what: "on"; readonly channel: string } | { readonly what: "off" };

export interface BudgetChange {
  /** The platform's id of a person, or what everybody here shares. */
  readonly of: "channel" | "server" | { readonly person: string };
  /** Dollars a day; null: no bound. */
  readonly dollars: number | null;
}

export type Parsed =
  | { readonly kind: "command"; readonly command: Command }
  /** One word that is almost a command: asked back, not guessed. */
  | { readonly kind: "near"; readonly typed: string; readonly meant: string }
  | { readonly kind: "message" };

const PLAIN: Readonly<Record<string, Command>> = {
  stop: { kind: "stop" },
  cancel: { kind: "stop" },
  status: { kind: "status" },
  restrict: { kind: "restrict" },
  restricted: { kind: "restrict" },
  unrestricted: { kind: "unrestrict" },
  continue: { kind: "continue" },
  retry: { kind: "retry" },
  help: { kind: "help" },
  repo: { kind: "repo", change: null },
  mode: { kind: "mode", mode: null },
  model: { kind: "model", model: null },
  "safe-mode": { kind: "safeMode", on: null },
  budget: { kind: "budget", change: null },
  rename: { kind: "rename", title: null },
  "default-mode": { kind: "defaultMode", mode: null },
  language: { kind: "language", language: null },
  approvers: { kind: "approvers", change: null },
  watches: { kind: "watch", word: "watches", rest: "" },
  tools: { kind: "tools", change: null },
  knowledge: { kind: "knowledge", change: null },
  digest: { kind: "digest", change: null },
  review: { kind: "review", change: null },
  archive: { kind: "archive" },
  delete: { kind: "delete", code: null },
  instructions: { kind: "instructions", change: { kind: "show" } },
};

/** Row 45: what people mean who take the permission for a mode. */
const PERMISSIONS: ReadonlyMap<string, Command> = new Map([
  ["restricted", { kind: "restrict" }],
  ["unrestricted", { kind: "unrestrict" }],
]);

const ON_OFF: ReadonlyMap<string, boolean> = new Map(Object.entries({ on: true, off: false }));

/** Case, full stops and other scripts' forms of the same letters make no difference; `/` may stand before. */
export const parseCommand = (text: string): Parsed => {
  const title = /^\s*\/?rename:\s*(\S[^]*)$/iu.exec(text)?.[1];
  if (title !== undefined) return command({ kind: "rename", title });
  const instructions = /^\s*\/?instructions:\s*(\S[^]*)$/iu.exec(text)?.[1];
  if (instructions !== undefined) {
    const word = plain(instructions);
    const change: InstructionsChange =
      word === "show" || word === "clear" ? { kind: word } : { kind: "set", text: instructions };
    return command({ kind: "instructions", change });
  }
  const [, word = "", rest = ""] = /^\s*\/?(watch|unwatch|every):\s*(\S[^]*)$/iu.exec(text) ?? [];
  if (word !== "") return command({ kind: "watch", word: watchWord(word), rest });
  const words = plain(text).split(" ");
  const [first = "", second, ...more] = words;
  if (first === "budget" && more.length === 1) return budget(text);
  if (first === "approvers" && more.length === 1) return approvers(text, second);
  if (first === "tools" && more.length > 0) return tools(words);
  if (first === "knowledge" && second !== undefined) return knowledge(text);
  if (first === "digest" && second !== undefined) return digest(text);
  if (first === "review" && second === "on" && more.length === 1) {
    const [, , channel = ""] = text.trim().split(/\s+/u);
    return command({ kind: "review", change: { what: "on", channel } });
  }
  if (first === "repo" && more.length > 0) return repo(text);
  if (first === "" || more.length > 0) return MESSAGE;
  if (second === undefined) return single(first);
  switch (first) {
    case "budget":
      return payer(argumentOf(text)) === null ? MESSAGE : command({ kind: "budget", change: null });
    case "delete":
      return /^[0-9a-f]{4}$/.test(second) ? command({ kind: "delete", code: second }) : MESSAGE;
    case "review":
      return second === "off" ? command({ kind: "review", change: { what: "off" } }) : MESSAGE;
    case "repo":
      return command({ kind: "repo", change: { what: "choose", repo: argumentOf(text) } });
    case "instructions":
      return second === "show" || second === "clear"
        ? command({ kind: "instructions", change: { kind: second } })
        : MESSAGE;
    case "default-mode":
      return command({ kind: "defaultMode", mode: second });
    case "language":
      return /^[a-z]{2}$|^auto$/.test(second) ? command({ kind: "language", language: second }) : MESSAGE;
    case "model":
      return command({ kind: "model", model: argumentOf(text) });
    case "mode":
      return command(PERMISSIONS.get(second) ?? { kind: "mode", mode: second });
    case "safe-mode": {
      const on = ON_OFF.get(second);
      return on === undefined ? MESSAGE : command({ kind: "safeMode", on });
    }
    default:
      return MESSAGE;
  }
};

/** `budget server 20`, `budget @U024BE7LH 0.50`, `budget channel none`; ids keep their case. */
const budget = (text: string): Parsed => {
  const [, who = "", amount = ""] = text.normalize("NFKC").trim().split(/\s+/u);
  const of = payer(who);
  const dollars = /^none\.?$/i.test(amount) ? null : /^\$?(\d{1,6}(?:\.\d{1,2})?)\.?$/.exec(amount)?.[1];
  return of === null || dollars === undefined
    ? MESSAGE
    : command({ kind: "budget", change: { of, dollars: dollars === null ? null : Number(dollars) } });
};

/** `approvers add @person`; ids keep their case. */
const approvers = (text: string, verb: string | undefined): Parsed => {
  const who = text.trim().split(/\s+/u)[2] ?? "";
  return /^[<@]/.test(who) && (verb === "add" || verb === "remove")
    ? command({ kind: "approvers", change: { add: verb === "add", who } })
    : MESSAGE;
};

/** `tools add linear`, `tools accept linear 1a2b3c4d`. */
const tools = ([, what = "", server = "", code, ...rest]: readonly string[]): Parsed => {
  const isCode = code === undefined || (what === "accept" && /^[0-9a-f]{8}$/.test(code));
  return (what === "add" || what === "remove" || what === "accept") && rest.length === 0 && isCode
    ? command({ kind: "tools", change: { what, server, code: code ?? null } })
    : MESSAGE;
};

/** `knowledge add issues https://docs.example.com/`; addresses keep their case, and Slack's brackets go. */
const knowledge = (text: string): Parsed => {
  const [, what = "", ...typed] = text.trim().split(/[\s,]+/u);
  const word = what.toLowerCase();
  const entries = typed.map((one) => one.replace(/^<([^|>]*)(?:\|[^>]*)?>$/, "$1"));
  const isWord = word === "add" || word === "remove" || word === "refresh";
  return isWord && (entries.length > 0 || word === "refresh") && entries.every((one) => SOURCE.test(one))
    ? command({ kind: "knowledge", change: { what: word, entries } })
    : MESSAGE;
};

const SOURCE = new RegExp(`^(?:${KEPT.join("|")}|https?://\\S+)$`, "i");

/** `digest on`, `digest on #channel`, `digest off`, `digest now`; ids keep their case. */
const digest = (text: string): Parsed => {
  const [, typed = "", named, ...rest] = withoutEnd(text.trim(), ".").split(/\s+/u);
  const what = typed.toLowerCase();
  const channel = named === undefined ? null : channelOf(named);
  if (rest.length > 0 || channel === undefined) return MESSAGE;
  if (what === "now") return channel === null ? command({ kind: "digest", change: { what } }) : MESSAGE;
  return what === "on" || what === "off" ? command({ kind: "digest", change: { what, channel } }) : MESSAGE;
};

/** As a mention or by its id. */
const channelOf = (named: string): string | undefined => {
  const [, mentioned, plain] = CHANNEL.exec(named) ?? [];
  return mentioned ?? plain;
};

const CHANNEL = /^(?:<#([A-Z0-9]{5,25})(?:\|[^>]*)?>|#?([CG][A-Z0-9]{5,20}|\d{15,25}))$/;

/** `repo add owner/name`, `repo add owner/name as NAME`, `repo remove NAME`; names keep their case. */
const repo = (text: string): Parsed => {
  const [, verb = "", named = "", as, folder, ...rest] = text.trim().split(/\s+/u);
  const isNamed = as?.toLowerCase() === "as" && folder !== undefined && rest.length === 0;
  switch (verb.toLowerCase()) {
    case "add":
      return as === undefined || isNamed
        ? command({ kind: "repo", change: { what: "add", repo: named, as: folder ?? null } })
        : MESSAGE;
    case "remove":
      return as === undefined ? command({ kind: "repo", change: { what: "remove", name: named } }) : MESSAGE;
    default:
      return MESSAGE;
  }
};

const payer = (who: string): BudgetChange["of"] | null => {
  const word = who.toLowerCase();
  if (word === "channel") return "channel";
  if (word === "server" || word === "workspace") return "server";
  const person = /^(?:<@!?(\w+)(?:\|[^>]*)?>|@(U\w+|W\w+|\d{15,25}))$/.exec(who);
  const id = person?.[1] ?? person?.[2];
  return id === undefined ? null : { person: id };
};

const watchWord = (typed: string): WatchWord => {
  const word = typed.toLowerCase();
  return word === "watch" || word === "unwatch" ? word : "every";
};

/** Words that stop the work whether or not they are addressed to the bot. */
export const isStop = (text: string): boolean => {
  const parsed = parseCommand(text);
  return parsed.kind === "command" && parsed.command.kind === "stop";
};

const single = (word: string): Parsed => {
  const known = Object.hasOwn(PLAIN, word) ? PLAIN[word] : undefined;
  if (known !== undefined) return command(known);
  // Short words are near everything: "so" is no "stop".
  const meant = word.length < 4 ? undefined : Object.keys(PLAIN).find((one) => isOneSlip(word, one));
  return meant === undefined ? MESSAGE : { kind: "near", typed: word, meant };
};

/** One letter too many, too few, or another, or two neighbours in the wrong order: "hello" is no "help". */
const isOneSlip = (typed: string, meant: string): boolean => {
  let same = 0;
  while (same < typed.length && typed[same] === meant[same]) same += 1;
  const [t, m] = [typed.slice(same), meant.slice(same)];
  const swapped = `${t[1] ?? ""}${t[0] ?? ""}${t.slice(2)}`;
  return [t.slice(1) === m.slice(1), t.slice(1) === m, t === m.slice(1), swapped === m].includes(true);
};

const plain = (text: string): string =>
  withoutEnd(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\u0307\p{Cf}]/gu, "")
      .replaceAll(/\s+/gu, " ")
      .trim()
      .replace(/^\//, ""),
    ".!…。",
  );

/** Names of repositories keep their case. */
const argumentOf = (text: string): string => text.trim().split(/\s+/u)[1] ?? "";

const command = (one: Command): Parsed => ({ kind: "command", command: one });
const MESSAGE: Parsed = { kind: "message" };
