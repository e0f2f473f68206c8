/**
 * The card of a finished draft (D42): the host's own reading of it first, then the diff and the last lines of its test in
 * fences, then the model's words, quoted. Pure.
 */

import type { Content, FilePart, Limits } from "../../src/ports/surface.ts";
import { ERASED, type Words } from "../../src/thread/prompt.ts";
import { draftFacts, proposalFacts, proposalIn } from "../../src/thread/proposal.ts";
import { spelled } from "../../src/text/invisible.ts";
import { spelledDiff } from "../../src/text/spelled-diff.ts";
import type { Say } from "../../src/words/say.ts";
import { CRLF_NOTE, fenced, shownDiff } from "../text/changes.ts";
import { measure } from "../text/measure.ts";
import { neutralise } from "../text/neutral.ts";
import { splitMarkdown } from "../text/split.ts";
import type { Dialect } from "./dialect.ts";

/** Characters of what a test wrote last. */
const MAX_TAIL = 600;
/** Of the model's title and summary; the console has the whole. */
const MAX_SUMMARY = 1_500;
/** What the model's words have room for at least. */
const LEAST = 300;

export const resultFacts = (shown: Words | undefined, { code, files, marks: { say } }: Dialect): string => {
  const draft = proposalIn(shown)?.draft;
  const facts = draft === undefined ? [] : draftFacts(draft, { code, say }, files);
  return [...proposalFacts(shown, { code, say }, files), ...facts].join("\n");
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
  const tail =
    test === null || test.tail.trim() === "" ? [] : [neutralise(fenced(spelled(endOf(test.tail))))];
  const left = room - LEAST - tail.reduce((sum, one) => sum + measure(one, units), 0);
  const said = diff.trim() === "" ? {} : shownDiff(diff.replace(/\n$/, ""), neutralise, say);
  const isInline = !isDiffCut && said.diff !== undefined && measure(said.diff, units) <= left;
  const blocks = [...(isInline && said.diff !== undefined ? [said.diff] : []), ...tail].join("\n\n");
  const spoken = quoted(proposal.texts.map(({ text }) => text.trim()).join("\n\n"), MAX_SUMMARY);
  const most = Math.max(LEAST, room - measure(blocks, units));
  const [summary = ""] = splitMarkdown(spoken, { units, max: most });
  const text = [blocks, summary].filter((part) => part !== "").join("\n\n");
  return isInline || said.file === undefined ? { text } : { text, files: [fileOf(diff, isDiffCut, say)] };
};

const fileOf = (diff: string, isCut: boolean, say: Say): FilePart => ({
  name: "changes.diff",
  title: say(
    isCut ? "What would be changed, cut: the console's host has all of it" : "What would be changed",
  ),
  mediaType: "text/x-diff",
  source: { kind: "text", text: spelledDiff(diff, say(CRLF_NOTE)) },
});

/** From a line on. */
const endOf = (tail: string): string => {
  const text = tail.trimEnd();
  if (text.length <= MAX_TAIL) return text;
  const end = text.slice(-MAX_TAIL);
  return `…${end.slice(Math.max(0, end.indexOf("\n")))}`;
};
