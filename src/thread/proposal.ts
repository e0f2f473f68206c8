/**
 * What people are shown before the host writes to the forge. The facts are the host's own reading; titles
 * and texts are the model's and are quoted by whoever shows them. Pure.
 */

import type { MessageId } from "../machine/id.ts";
import { ERASED, type Proposal, type ProposedFile, type Words } from "./prompt.ts";
import type { Ask } from "../machine/words.ts";

/** The words that people are shown of what is asked. */
export const shownBy = (ask: Ask | undefined): readonly MessageId[] =>
  ask !== undefined && "shown" in ask ? [ask.shown] : [];

export const proposalIn = (shown: Words | undefined): Proposal | null =>
  shown?.kind === "proposal" ? shown.proposal : null;

/** Lines of the host's facts; `code` writes names. At most `most` files. */
export const proposalFacts = (
  shown: Words | undefined,
  code: (text: string) => string,
  most: number,
): readonly string[] => {
  const proposal = proposalIn(shown);
  if (proposal === null) return [ERASED];
  const { project, facts, files, unlisted } = proposal;
  const left = unlisted + Math.max(0, files.length - most);
  const named = files
    .slice(0, most)
    .map((file) => `${code(shortened(file.path, MAX_PATH))} (${lines(file)})`);
  return [
    [
      `In ${code(shortened(project, MAX_PATH))}`,
      ...facts.map(({ name, value }) => `${name} ${code(shortened(value, MAX_VALUE))}`),
    ].join(", "),
    ...(named.length === 0
      ? []
      : [`Changes ${named.join(", ")}${left === 0 ? "" : ` and ${left} more files`}`]),
  ];
};

const lines = ({ added, removed }: ProposedFile): string =>
  added === null || removed === null ? "binary" : `+${added} −${removed}`;

const MAX_PATH = 120;
const MAX_VALUE = 80;

/** The end of a path says most. */
const shortened = (text: string, most: number): string => {
  const points = Array.from(text);
  return points.length <= most ? text : `…${points.slice(1 - most).join("")}`;
};
