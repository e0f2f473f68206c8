/**
 * The card of a finished draft (D42): the host's own reading of it first, then the diff and the last lines of its test in
 * fences, then the model's words, quoted. Pure.
 */

import type { Content, FilePart, Limits } from "../../src/ports/surface.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { draftFacts, proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import { spelled } from "../../src/text/invisible.ts";
import { spelledDiff } from "../../src/text/spelled-diff.ts";
import type { Naming } from "../../src/thread/marks.ts";
import { shortened } from "../../src/thread/owners.ts";
import type { Say } from "../../src/i18n/say.ts";
import { CRLF_NOTE, fenced, shownDiff } from "../text/changes.ts";
import { type LengthLimit, measure } from "../text/measure.ts";
import { neutralise } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import type { Dialect } from "./dialect.ts";

/** Characters of what a test wrote last. */
const MAX_TAIL = 600;
const MIN_TAIL = 70;
/** Of the model's title and summary; the console has the whole. */
const MAX_SUMMARY = 1_500;
/** Characters of a name where there is no room for one of each kind. */
const MAX_NARROW = 30;
/** What the model's words have room for at least. */
const LEAST = 300;

/** All facts fit into `room`. Names without room are counted. */
export const resultFacts = (shown: Words | undefined, dialect: Dialect, room: LengthLimit): string => {
  const draft = proposalIn(shown)?.draft;
  return withinRoom(dialect, room, (naming, most) =>
    [
      ...proposalFacts(shown, naming, most),
      ...(draft === undefined ? [] : draftFacts(draft, naming, most)),
    ].join("\n"),
  );
};

/**
 * The text that fits with the most names of each kind, as many as the platform shows and at least one. If not even one has
 * room, the end of each name stands for it. A platform refuses a longer message, and the card with it (WG6).
 */
export const withinRoom = (
  { code, files, marks: { say } }: Dialect,
  { units, max }: LengthLimit,
  textOf: (naming: Naming, most: number) => string,
): string => {
  for (let most = files; most > 0; most -= 1) {
    const text = textOf({ code, say }, most);
    if (measure(text, units) <= max) return text;
  }
  return textOf({ code: (name) => code(shortened(name, MAX_NARROW)), say }, 1);
};

/** `room`: of all of it. What has none is a file on the same message. */
export const resultWords = (
  shown: Words | undefined,
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
  const said = diff.trim() === "" ? {} : shownDiff(diff.replace(/\n$/, ""), neutralise, say);
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
  source: { kind: "text", text: spelledDiff(diff, say(CRLF_NOTE)) },
});

/** The end in a fence, as much as has room: what is spelled or escaped takes more than it says. */
const tailWithin = (tail: string, { units, max }: LengthLimit): string => {
  if (tail.trim() === "") return "";
  const text = spelled(tail.trimEnd());
  for (let most = MAX_TAIL; most >= MIN_TAIL; most /= 2) {
    const shown = neutralise(fenced(endOf(text, most)));
    if (measure(shown, units) <= max) return shown;
  }
  return "";
};

/** The last characters, from a line on. */
const endOf = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `…${end.slice(Math.max(0, end.indexOf("\n")))}`;
};
