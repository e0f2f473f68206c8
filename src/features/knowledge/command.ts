/**
 * `knowledge` lists and changes the sources of a channel besides code. Everyone sees the sources and the reading progress;
 * approvers of PARLEY_APPROVERS add and remove sources.
 */

import type { Person } from "../../ports/chat-platform.ts";
import { FORGE_SOURCE_KINDS, THREAD_ARCHIVE } from "../../ports/forge-archive.ts";
import { MOST_SOURCES } from "../../ports/knowledge.ts";
import { durationText } from "../../thread/durations.ts";
import type { Label, Say } from "../../i18n/say.ts";
import type { RequestingPerson, ChatDeps } from "../../runtime/chat/people/deps.ts";
import { replyCode } from "../../runtime/chat/people/reply-texts.ts";
import { keepSettings, MAY_NOT, settingsAt } from "../../runtime/chat/commands/channels.ts";
import { asInThread, type Command, defineCommand } from "../../runtime/chat/commands/define-command.ts";
import { allWords, MAX_TEXT, partOfAll, type CommandWords } from "../../runtime/chat/commands/options.ts";
import type { KnowledgeContext } from "./open.ts";
import type { KnowledgeBook, SourceStatus } from "./ports.ts";

const CHANGE = partOfAll("change", "What to do", "add", "remove", "refresh");
const SOURCES = allWords(
  "sources",
  "issues, discussions, releases, wiki, threads, or addresses of documentation",
  { max: MAX_TEXT },
);

interface KnowledgeChange {
  readonly what: "add" | "remove" | "refresh";
  /** As typed; empty for all sources. */
  readonly entries: readonly string[];
}

export const knowledgeCommand = (own: () => KnowledgeContext): Command =>
  defineCommand({
    words: ["knowledge"],
    options: [CHANGE, SOURCES],
    read: (valueOf): KnowledgeChange | null | undefined => {
      const words = valueOf(SOURCES);
      return words === null ? null : changeIn(words);
    },
    rights: { right: "mayManage", refusal: MAY_NOT, isFree: (change) => change === null },
    help: {
      does: "The channel's knowledge sources; only host approvers can add a source",
      channel:
        "`/parley knowledge [add|remove|refresh SOURCE]` shows or changes the channel's knowledge sources",
      before: { thread: "rename", channel: "review", menu: "review" },
    },
    slash: asInThread,
    run: ({ deps, asking, person }, change) =>
      change === null
        ? shown(own().knowledge, deps, settingsAt(deps, asking.place).knowledge, asking.place)
        : changeSources(own().knowledge, deps, change, asking, person),
  });

/** Parses `add issues https://docs.example.com/`, and removes Slack's brackets around addresses. */
const changeIn = ({ typed }: CommandWords): KnowledgeChange | undefined => {
  const [verb = "", ...named] = typed.join(" ").split(/[\s,]+/u);
  const what = verb.toLowerCase();
  const entries = named.map((one) => one.replace(/^<([^|>]*)(?:\|[^>]*)?>$/, "$1"));
  const isWord = what === "add" || what === "remove" || what === "refresh";
  return isWord && (entries.length > 0 || what === "refresh") && entries.every((one) => SOURCE.test(one))
    ? { what, entries }
    : undefined;
};

const SOURCE = new RegExp(`^(?:${[...FORGE_SOURCE_KINDS, THREAD_ARCHIVE].join("|")}|https?://\\S+)$`, "i");

const changeSources = async (
  book: KnowledgeBook,
  deps: ChatDeps,
  change: KnowledgeChange,
  asking: RequestingPerson,
  person: Person,
): Promise<string> => {
  const { store, name, say } = deps;
  const { place } = asking;
  const before = settingsAt(deps, place);
  const repo = store.binding(name, place)?.repo ?? null;
  const read = change.entries.map((typed) => book.entry(typed, repo));
  const named = change.what === "add" ? read.flatMap((one) => (one.kind === "entry" ? one.entry : [])) : [];
  const refused = read.find((one) => one.kind === "refused");
  if (change.what === "add" && refused !== undefined)
    return say("Nothing was added: {why}", { why: refused.why });
  if (change.what === "refresh") {
    const meant = change.entries.length === 0 ? before.knowledge : meantIn(before.knowledge, change.entries);
    if (meant.length === 0) return `${say("There is no source to refresh.")} ${say(HOW)}`;
    await book.refresh(meant, repo, { surface: name, place });
    return say(
      meant.length === 1
        ? "{sources} is refreshed from the beginning. Stored content remains available until the refresh ends."
        : "{sources} are refreshed from the beginning. Stored content remains available until the refresh ends.",
      { sources: meant.map(replyCode).join(", ") },
    );
  }
  const gone = change.what === "remove" ? meantIn(before.knowledge, change.entries) : [];
  if (change.what === "remove" && gone.length === 0) return say("This channel has no such source.");
  const now = [...new Set([...before.knowledge, ...named])].filter((one) => !gone.includes(one));
  if (now.length > MOST_SOURCES)
    return say("A channel has at most {count} sources: remove one first.", { count: MOST_SOURCES });
  const problem = await keepSettings(deps, { knowledge: now }, asking, person);
  if (problem !== null) return problem;
  book.changed();
  return shown(book, deps, now, place);
};

/** The channel's entries that match the typed ones, independent of the channel's current repository. */
const meantIn = (has: readonly string[], typed: readonly string[]): readonly string[] =>
  has.filter((one) =>
    typed.some((word) => [one, one.replace(/\/$/, "")].includes(word) || one === word.toLowerCase()),
  );

const shown = (
  book: KnowledgeBook,
  { store, name, clock, say }: ChatDeps,
  entries: readonly string[],
  place: string,
): string => {
  const repo = store.binding(name, place)?.repo ?? null;
  if (entries.length === 0)
    return `${say("This channel has no knowledge sources besides its repository.")} ${say(HOW)}`;
  const lines = book
    .standings(entries, repo, { surface: name, place })
    .map((one) => `• ${standingText(one, clock.now(), say)}`);
  return [say("Knowledge sources of this channel, besides its repository:"), ...lines].join("\n");
};

const standingText = ({ entry, texts, read, reading, why }: SourceStatus, now: number, say: Say): string => {
  const counted = texts === 1 ? say("1 text") : say("{count} texts", { count: texts });
  return `${replyCode(entry)}: ${counted}, ${stateText(read, reading, now, say)}.${why === null ? "" : ` ${why}`}`;
};

const stateText = (read: number | null, reading: boolean, now: number, say: Say): string => {
  if (reading) return say(read === null ? "being read for the first time" : "being refreshed");
  return read === null
    ? say("not read yet")
    : say("read {time} ago", { time: durationText(now - read, say) });
};

const HOW: Label =
  "Add the repository's `issues`, `discussions`, `releases` or `wiki`, the solved `threads` of public channels here, or the address of a documentation site: `/parley knowledge add issues https://docs.example.com/`.";
