/** Searches the project for issues that a new issue would repeat, before people are asked about the new issue. */

import { quoteUntrusted } from "../../../text/quotes.ts";
import type { Proposal } from "../../../thread/prompt.ts";
import { valueOf } from "../../../tools/tool.ts";
import type { Project } from "../ports/project.ts";
import { likelyDuplicates, titleWords } from "./duplicates.ts";
import { QuotedRefusal } from "./quoted-refusal.ts";

/** `read`: numbers that the model has read already. Only these appear on the card; others go back to the model. */
export const findSimilar = async (
  title: string,
  read: readonly number[],
  { project, signal }: { readonly project: Pick<Project, "similar">; readonly signal: AbortSignal },
  now: () => number = Date.now,
): Promise<Pick<Proposal, "similar">> => {
  const words = titleWords(title).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return {};
  const found = likelyDuplicates(
    title,
    valueOf(await project.similar(words.slice(0, MOST_WORDS), signal)),
    now(),
  );
  if (found.length === 0) return {};
  if (!found.every(({ number }) => read.includes(number))) {
    const quotes = found.map(({ number, state, url, author, at, title: theirs }) =>
      [`Issue #${number}, ${state}: ${url}`, quoteUntrusted({ author, at, text: theirs })].join("\n"),
    );
    throw new QuotedRefusal(SIMILAR, quotes.join("\n\n"));
  }
  return {
    similar: found.map(({ number, title: theirs, state, url, isSame }) => ({
      name: `#${number}`,
      title: theirs,
      state,
      url,
      isSame,
    })),
  };
};

const MOST_WORDS = 8;

const SIMILAR =
  "The issue is not proposed yet: similar issues exist. Read them with read_issue. If one says the same, give its link instead, or comment on it. Otherwise call file_issue again with their numbers in `notDuplicateOf`; people then see them beside the new issue.";
