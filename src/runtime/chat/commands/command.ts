/** What a person asks of the host rather than of the agent: the words after a mention or after `/parley`. Pure. */

import type { Said } from "../../../ports/chat.ts";
import { KEPT, THREADS } from "../../../ports/knowledge/archive.ts";
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
  /** Null asks for them. */
  | { readonly kind: "instructions"; readonly change: InstructionsChange | null }
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

type WatchWord = "watch" | "watches" | "unwatch" | "every";

export interface InstructionsChange {
  /** Null clears them. */
  readonly text: string | null;
}

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
  instructions: { kind: "instructions", change: null },
};

/** Case, full stops and other scripts' forms of the same letters make no difference; `/` may stand before. */
export const parseCommand = (text: string): Parsed => {
  const [, kind = "", said = ""] =
    /^\s*\/?(rename|instructions|watch|unwatch|every):\s*(\S[^]*)$/iu.exec(text) ?? [];
  if (kind !== "") return command(saidBehind(kind.toLowerCase(), said));
  const [first = "", ...words] = plain(text).split(" ");
  if (words.length === 0) return first === "" ? MESSAGE : single(first);
  const [, ...typed] = text.trim().split(/\s+/u);
  const meant = Object.hasOwn(FOLLOWED, first) ? FOLLOWED[first]?.(words, typed) : undefined;
  return meant === undefined || meant === null ? MESSAGE : command(meant);
};

export const parseTyped = (said: Pick<Said, "text" | "typed">): Parsed => parseCommand(orderOf(said));

/** A command with ids; what stands behind its colon is the person's own text and keeps its names. */
export const orderOf = ({ text, typed = text }: Pick<Said, "text" | "typed">): string => {
  const [colon, own] = [typed.indexOf(":"), text.indexOf(":")];
  return colon === -1 || own === -1 ? typed : `${typed.slice(0, colon)}${text.slice(own)}`;
};

/** What stands behind a colon is somebody's text. */
const saidBehind = (kind: string, said: string): Command => {
  if (kind === "rename") return { kind, title: said };
  if (kind === "watch" || kind === "unwatch" || kind === "every")
    return { kind: "watch", word: kind, rest: said };
  return instructionsWord(plain(said)) ?? { kind: "instructions", change: { text: said } };
};

const instructionsWord = (word: string): Command | null =>
  word === "show" || word === "clear"
    ? { kind: "instructions", change: word === "show" ? null : { text: null } }
    : null;

/** What follows the first word: as it is compared, and as it was typed, because ids and names keep their case. */
type Reader = (words: readonly string[], typed: readonly string[]) => Command | null;

/** Of a command with one word behind it. */
const oneWord =
  (read: (word: string, typed: string) => Command | null): Reader =>
  ([word = "", ...more], [typed = ""]) =>
    more.length === 0 ? read(word, typed) : null;

const FOLLOWED: Readonly<Record<string, Reader>> = {
  budget: ({ length }, typed) => {
    const [who = "", amount = ""] = typed.map((word) => word.normalize("NFKC"));
    const of = payer(who);
    if (of === null || length > 2) return null;
    if (length === 1) return { kind: "budget", change: null };
    const dollars = /^none\.?$/i.test(amount) ? null : /^\$?(\d{1,6}(?:\.\d{1,2})?)\.?$/.exec(amount)?.[1];
    if (dollars === undefined) return null;
    return { kind: "budget", change: { of, dollars: dollars === null ? null : Number(dollars) } };
  },
  delete: oneWord((code) => (/^[0-9a-f]{4}$/.test(code) ? { kind: "delete", code } : null)),
  review: ([what, ...more], [, channel = ""]) => {
    if (what === "on" && more.length === 1) return { kind: "review", change: { what, channel } };
    return what === "off" && more.length === 0 ? { kind: "review", change: { what } } : null;
  },
  /** `owner/name`, `add owner/name`, `add owner/name as NAME`, `remove NAME`. */
  repo: ([verb, , as, folder, ...more], [typed = "", named, , name]) => {
    if (named === undefined) return { kind: "repo", change: { what: "choose", repo: typed } };
    const isNamed = as === "as" && folder !== undefined && more.length === 0;
    if (verb === "add" && (as === undefined || isNamed))
      return { kind: "repo", change: { what: "add", repo: named, as: name ?? null } };
    return verb === "remove" && as === undefined
      ? { kind: "repo", change: { what: "remove", name: named } }
      : null;
  },
  instructions: oneWord(instructionsWord),
  "default-mode": oneWord((mode) => ({ kind: "defaultMode", mode })),
  language: oneWord((language) =>
    /^[a-z]{2}$|^auto$/.test(language) ? { kind: "language", language } : null,
  ),
  model: oneWord((_, model) => ({ kind: "model", model })),
  /** Row 45: people take the permission for a mode. */
  mode: oneWord((mode) => PERMISSIONS.get(mode) ?? { kind: "mode", mode }),
  "safe-mode": oneWord((word) =>
    word === "on" || word === "off" ? { kind: "safeMode", on: word === "on" } : null,
  ),
  approvers: ([verb, ...more], [, who = ""]) =>
    more.length === 1 && /^[<@]/.test(who) && (verb === "add" || verb === "remove")
      ? { kind: "approvers", change: { add: verb === "add", who } }
      : null,
  /** `add linear`, `accept linear 1a2b3c4d`. */
  tools: ([what, server, code, ...more]) => {
    const isCode = code === undefined || (what === "accept" && /^[0-9a-f]{8}$/.test(code));
    return (what === "add" || what === "remove" || what === "accept") &&
      server !== undefined &&
      more.length === 0 &&
      isCode
      ? { kind: "tools", change: { what, server, code: code ?? null } }
      : null;
  },
  /** `add issues https://docs.example.com/`; Slack's brackets around addresses go. */
  knowledge: (_, typed) => {
    const [verb = "", ...named] = typed.join(" ").split(/[\s,]+/u);
    const what = verb.toLowerCase();
    const entries = named.map((word) => word.replace(/^<([^|>]*)(?:\|[^>]*)?>$/, "$1"));
    const isWord = what === "add" || what === "remove" || what === "refresh";
    return isWord && (entries.length > 0 || what === "refresh") && entries.every((word) => SOURCE.test(word))
      ? { kind: "knowledge", change: { what, entries } }
      : null;
  },
  /** `on`, `on #channel`, `off`, `now`. */
  digest: ([what, ...more], [, named]) => {
    const channel = named === undefined ? null : channelOf(named);
    if (more.length > 1 || channel === undefined) return null;
    if (what === "now") return channel === null ? { kind: "digest", change: { what } } : null;
    return what === "on" || what === "off" ? { kind: "digest", change: { what, channel } } : null;
  },
};

const PERMISSIONS: ReadonlyMap<string, Command> = new Map([
  ["restricted", { kind: "restrict" }],
  ["unrestricted", { kind: "unrestrict" }],
]);

const SOURCE = new RegExp(`^(?:${[...KEPT, THREADS].join("|")}|https?://\\S+)$`, "i");

/** As a mention or by its id. */
const channelOf = (named: string): string | undefined => {
  const [, mentioned, plain] = CHANNEL.exec(withoutEnd(named, ".")) ?? [];
  return mentioned ?? plain;
};

const CHANNEL = /^(?:<#([A-Z0-9]{5,25})(?:\|[^>]*)?>|#?([CG][A-Z0-9]{5,20}|\d{15,25}))$/;

const payer = (who: string): BudgetChange["of"] | null => {
  const word = who.toLowerCase();
  if (word === "channel") return "channel";
  if (word === "server" || word === "workspace") return "server";
  const person = /^(?:<@!?(\w+)(?:\|[^>]*)?>|@(U\w+|W\w+|\d{15,25}))$/.exec(who);
  const id = person?.[1] ?? person?.[2];
  return id === undefined ? null : { person: id };
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

const command = (one: Command): Parsed => ({ kind: "command", command: one });
const MESSAGE: Parsed = { kind: "message" };
