/** One page of a turn's steps, the newest page first (TH4). Pure; the platform draws the page. */

import type { ListedStep } from "../../src/thread/step-list.ts";
import type { StepSheet } from "../../src/ports/chat.ts";
import { spellInvisible } from "../../src/text/invisible.ts";
import type { Say } from "../../src/i18n/say.ts";
import { sourcesText } from "../text/citations.ts";
import type { Dialect } from "./dialect.ts";
import { checkoutText, turnFacts } from "./phrases.ts";

export interface StepPage {
  /** Sentences of the host, in the platform's markup. */
  readonly head: readonly string[];
  readonly steps: readonly PagedStep[];
  /** Page numbers with earlier and with later steps; null if there are none. */
  readonly older: number | null;
  readonly newer: number | null;
}

/**
 * A step with a numbered title and the end of its output. The output is null if this person must not see it.
 */
export type PagedStep = ListedStep;

interface Room {
  readonly steps: number;
  /** Bytes of UTF-8 of a step's output, of which the end is displayed, and of its input. */
  readonly output: number;
  readonly input: number;
}

/** `page`: 0 has the newest steps. */
export const stepPage = (sheet: StepSheet, page: number, room: Room, dialect: Dialect): StepPage => {
  const { steps } = sheet;
  const to = Math.max(0, steps.length - page * room.steps);
  const from = Math.max(0, to - room.steps);
  return {
    head: page === 0 ? headOf(sheet, dialect) : [],
    steps: steps.slice(from, to).map(({ title, facts, said, input, output }, index) => ({
      title: `${from + index + 1}. ${title}`,
      facts,
      said,
      input: beginningOf(spellInvisible(input), room.input),
      output:
        output === null || !sheet.isWhole
          ? null
          : endOf(spellInvisible(output), room.output, dialect.marks.say),
    })),
    older: from > 0 ? page + 1 : null,
    newer: page > 0 ? page - 1 : null,
  };
};

export const wholeText = ({ steps }: StepSheet): string =>
  steps
    .map(({ title, facts, said, input, output }, index) =>
      [`${index + 1}. ${title} (${facts})`, said, spellInvisible(input), spellInvisible(output ?? "")]
        .filter((part) => part !== "")
        .join("\n\n"),
    )
    .join("\n\n\n");

const headOf = (
  { conversation, asker, footer, citations, steps, notes, isWhole }: StepSheet,
  dialect: Dialect,
): readonly string[] => {
  const { marks, code, linked } = dialect;
  const { say } = marks;
  const who = asker === null ? [] : [say("Requested by {asker}", { asker: marks.plain(asker) })];
  const mode = footer === null ? [] : [say("work mode {mode}", { mode: code(footer.mode) })];
  const sources = sourcesText(citations, conversation, ({ text, link }) => linked(text, link), say);
  return [
    [...who, checkoutText(conversation, dialect), ...mode].join(" · "),
    ...(footer !== null && isWhole ? [turnFacts(footer, null, marks).join(" · ")] : []),
    ...(sources === null || sources === "" ? [] : [sources]),
    ...notes.map((line) => say("Note {note}", { note: marks.plain(line) })),
    ...(steps.length === 0 ? [say("No step was needed for this turn.")] : []),
    ...(isWhole || steps.length === 0
      ? []
      : [say("Only the person who asked and the approvers can see the steps' output.")]),
  ];
};

const beginningOf = (text: string, most: number): string => {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= most
    ? text
    : `${new TextDecoder().decode(bytes.slice(0, most), { stream: true })} …`;
};

/** Returns the text from the start of a line on, with the number of omitted lines. */
const endOf = (text: string, most: number, say: Say): string => {
  const whole = text.trimEnd();
  const bytes = new TextEncoder().encode(whole);
  if (bytes.length <= most) return whole;
  const end = new TextDecoder().decode(bytes.slice(-most)).replace(/^\ufffd+/, "");
  const shown = end.includes("\n") ? end.slice(end.indexOf("\n") + 1) : end;
  const before = whole.slice(0, whole.length - shown.length).split("\n").length - 1;
  if (before === 0) return `… ${shown}`;
  const cut = before === 1 ? say("1 line before") : say("{count} lines before", { count: before });
  return `… ${cut}\n${shown}`;
};
