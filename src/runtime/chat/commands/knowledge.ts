/**
 * `knowledge`: what the conversations of a channel know beside the checkout. Everybody sees it and how far it is read; those of
 * PARLEY_APPROVERS add to it and take away.
 */

import { type KnowledgeStanding, MOST_SOURCES } from "../../../ports/knowledge/knowledge.ts";
import { durationText } from "../../../thread/durations.ts";
import type { Label, Say } from "../../../words/say.ts";
import type { Answers, ChatDeps } from "../deps.ts";
import { keepSettings, MAY_NOT, settingsAt } from "./channels.ts";
import type { KnowledgeChange } from "./command.ts";
import { rightsOf } from "./rights.ts";
import { code } from "./tools.ts";

export const knowledge: Answers<KnowledgeChange | null> = async (deps, change, asking, person) => {
  const { knowledge: book, store, name, say } = deps;
  const { place } = asking;
  const before = settingsAt(deps, place);
  const repo = store.binding(name, place)?.repo ?? null;
  if (change === null) return shown(deps, before.knowledge, place);
  if (!rightsOf(deps.policy, person).mayManage) return say(MAY_NOT);
  const read = change.entries.map((typed) => book.entry(typed, repo));
  const named = change.what === "add" ? read.flatMap((one) => (one.kind === "entry" ? one.entry : [])) : [];
  const refused = read.find((one) => one.kind === "refused");
  if (change.what === "add" && refused !== undefined)
    return say("Nothing was added: {why}", { why: refused.why });
  if (change.what === "refresh") {
    const meant = change.entries.length === 0 ? before.knowledge : meantIn(before.knowledge, change.entries);
    if (meant.length === 0) return `${say("There is nothing to look at.")} ${say(HOW)}`;
    await book.refresh(meant, repo, { surface: name, place });
    return say(
      meant.length === 1
        ? "{sources} is looked at again, from the beginning. What is known stays meanwhile."
        : "{sources} are looked at again, from the beginning. What is known stays meanwhile.",
      { sources: meant.map(code).join(", ") },
    );
  }
  const gone = change.what === "remove" ? meantIn(before.knowledge, change.entries) : [];
  if (change.what === "remove" && gone.length === 0) return say("That is not among what this channel knows.");
  const now = [...new Set([...before.knowledge, ...named])].filter((one) => !gone.includes(one));
  if (now.length > MOST_SOURCES)
    return say("A channel has at most {count} sources: remove one first.", { count: MOST_SOURCES });
  const problem = await keepSettings(deps, { knowledge: now }, asking, person);
  if (problem !== null) return problem;
  book.changed();
  return shown(deps, now, place);
};

/** Of what the channel has, what was typed, whatever the channel's repository is by now. */
const meantIn = (has: readonly string[], typed: readonly string[]): readonly string[] =>
  has.filter((one) =>
    typed.some((word) => [one, one.replace(/\/$/, "")].includes(word) || one === word.toLowerCase()),
  );

const shown = (
  { knowledge: book, store, name, clock, say }: ChatDeps,
  entries: readonly string[],
  place: string,
): string => {
  const repo = store.binding(name, place)?.repo ?? null;
  if (entries.length === 0) return `${say("This channel knows nothing beside its checkout.")} ${say(HOW)}`;
  const lines = book
    .standings(entries, repo, { surface: name, place })
    .map((one) => `• ${standingText(one, clock.now(), say)}`);
  return [say("Beside the checkout, conversations of this channel know:"), ...lines].join("\n");
};

const standingText = (
  { entry, texts, read, reading, why }: KnowledgeStanding,
  now: number,
  say: Say,
): string => {
  const counted = texts === 1 ? say("1 text") : say("{count} texts", { count: texts });
  return `${code(entry)}: ${counted}, ${stateText(read, reading, now, say)}.${why === null ? "" : ` ${why}`}`;
};

const stateText = (read: number | null, reading: boolean, now: number, say: Say): string => {
  if (reading) return say(read === null ? "being read for the first time" : "being looked at again");
  return read === null
    ? say("not read yet")
    : say("read {time} ago", { time: durationText(now - read, say) });
};

const HOW: Label =
  "Add the repository's `issues`, `discussions`, `releases` or `wiki`, the solved `threads` of public channels here, or the address of a documentation site: `/parley knowledge add issues https://docs.example.com/`.";
