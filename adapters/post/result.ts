/**
 * The card of a finished draft (D42): the host's own facts first, then the diff and the last lines of the
 * test in fences, then the model's words as a quote. Pure.
 */

import type { Content, FilePart, Limits } from "../../src/ports/surface.ts";
import { ERASED, type StoredContent } from "../../src/thread/prompt.ts";
import { draftFacts, proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import { spellInvisible } from "../../src/text/invisible.ts";
import { visibleDiff } from "../../src/text/visible-diff.ts";
import type { NameFormatter } from "../../src/thread/formatter.ts";
import { shortenOwners } from "../../src/thread/owners.ts";
import type { Say } from "../../src/i18n/say.ts";
import { CRLF_NOTE, fencedText, renderDiff } from "../text/changes.ts";
import { type LengthLimit, measure } from "../text/measure.ts";
import { neutralize } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import type { Dialect } from "./dialect.ts";

/** Maximum characters of the test's last output. */
const MAX_TAIL = 600;
const MIN_TAIL = 70;
/** Maximum characters of the model's title and summary; the console displays all of it. */
const MAX_SUMMARY = 1_500;
/** Maximum characters of a name if a single name of each kind exceeds the room. */
const MAX_NARROW = 30;
/** Minimum space for the model's words. */
const LEAST = 300;

/** Returns all facts, shortened to `room`. Names without room are counted. */
export const resultFacts = (
  shown: StoredContent | undefined,
  dialect: Dialect,
  room: LengthLimit,
): string => {
  const draft = proposalIn(shown)?.draft;
  return withinRoom(dialect, room, (naming, most) =>
    [
      ...proposalFacts(shown, naming, most),
      ...(draft === undefined ? [] : draftFacts(draft, naming, most)),
    ].join("\n"),
  );
};

/**
 * Returns the text with the most names of each kind that fits: at most the platform's number, at least one.
 * If a single name has no room, only its end is used. A platform would refuse a longer message, and the card
 * with it (WG6).
 */
export const withinRoom = (
  { code, files, marks: { say, link } }: Dialect,
  { units, max }: LengthLimit,
  textOf: (naming: NameFormatter, most: number) => string,
): string => {
  for (let most = files; most > 0; most -= 1) {
    const text = textOf({ code, say, link }, most);
    if (measure(text, units) <= max) return text;
  }
  return textOf({ code: (name) => code(shortenOwners(name, MAX_NARROW)), say, link }, 1);
};

/** `room`: space for all of it. The rest becomes a file on the same message. */
export const resultLabels = (
  shown: StoredContent | undefined,
  quoted: (text: string, max: number) => string,
  { units }: Pick<Limits, "units">,
  room: number,
  say: Say,
): Pick<Content, "text" | "files"> => {
  const proposal = proposalIn(shown);
  if (proposal?.draft === undefined) return { text: quoted(say(ERASED), MAX_SUMMARY) };
  const { diff, isDiffCut, test } = proposal.draft;
  const tail = tailWithin(test?.tail ?? "", { units, max: room - LEAST });
  const left = room - LEAST - measure(tail, units);
  const said = diff.trim() === "" ? {} : renderDiff(diff.replace(/\n$/, ""), neutralize, say);
  const isInline = !isDiffCut && said.diff !== undefined && measure(said.diff, units) <= left;
  const blocks = [(isInline ? said.diff : undefined) ?? "", tail].filter((part) => part !== "").join("\n\n");
  const spoken = quoted(proposal.texts.map(({ text }) => text.trim()).join("\n\n"), MAX_SUMMARY);
  const most = Math.max(LEAST, room - measure(blocks, units));
  const [summary = ""] = splitMarkdown(spoken, { units, max: most });
  const text = [blocks, summary].filter((part) => part !== "").join("\n\n");
  return isInline || said.file === undefined ? { text } : { text, files: [fileOf(diff, isDiffCut, say)] };
};

const fileOf = (diff: string, isCut: boolean, say: Say): FilePart => ({
  name: "changes.diff",
  title: say(
    isCut ? "Proposed changes, shortened: the console's host has the full text" : "What would be changed",
  ),
  mediaType: "text/x-diff",
  source: { kind: "text", text: visibleDiff(diff, say(CRLF_NOTE)) },
});

/** Returns the end of the output in a fence, as far as there is room; escaping makes text longer. */
const tailWithin = (tail: string, { units, max }: LengthLimit): string => {
  if (tail.trim() === "") return "";
  const text = spellInvisible(tail.trimEnd());
  for (let most = MAX_TAIL; most >= MIN_TAIL; most /= 2) {
    const shown = neutralize(fencedText(endOf(text, most)));
    if (measure(shown, units) <= max) return shown;
  }
  return "";
};

/** Returns the last characters, from a line on. */
const endOf = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `…${end.slice(Math.max(0, end.indexOf("\n")))}`;
};
