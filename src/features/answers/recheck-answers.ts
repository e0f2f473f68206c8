/** Compares citations of answers with the current branches, and stores and shows changes. Idempotent. */

import type { Answer, AnswerId, Answers, CheckedAnswer } from "../../ports/answers.ts";
import type { Tip } from "../../ports/commits.ts";
import type { CitedPages } from "../../ports/knowledge.ts";
import type { CitationChange } from "../../text/citation.ts";
import type { Core } from "../../feature.ts";
import type { CitationTracker } from "./citations/lines.ts";
import { answeredBranchOf, isIn, isPage, linesOf, citedPartsOf, withPartChanges } from "./parts.ts";

export interface RecheckDeps extends Pick<Core, "readThread"> {
  readonly answers: Pick<Answers, "setLooked">;
  readonly lines: Pick<CitationTracker, "compare">;
  readonly knowledge: CitedPages;
  /** Called when posts of a conversation show a changed answer. */
  readonly shown: (id: AnswerId) => void;
}

const AT_ONCE = 100;

/** `tips`: tips of the updated branches. Returns whether everything could be decided and stored. */
export const recheckAnswers = async (
  deps: RecheckDeps,
  answers: readonly Answer[],
  tips: ReadonlyMap<string, Tip>,
  signal: AbortSignal,
): Promise<boolean> => {
  const drafts = answers.map(draftOf);
  let isWhole = true;
  for (const [branch, tip] of tips) {
    const asked = drafts.flatMap((draft) =>
      draft.parts.flatMap((part, index) =>
        answeredBranchOf(part.repo) === branch && draft.answer.looked[index] !== tip.commit
          ? [{ draft, part, index }]
          : [],
      ),
    );
    const cited = asked.flatMap(({ draft, part, index }) =>
      draft.answer.citations.flatMap((one, place) =>
        isIn(part, one)
          ? [{ draft, part, place, one, lines: linesOf(part, one, draft.answer.looked[index]) }]
          : [],
      ),
    );
    const compared = await deps.lines.compare(
      tip,
      cited.map(({ lines }) => lines),
      signal,
    );
    if (compared.kind === "failed") {
      isWhole = false;
      continue;
    }
    const untold = new Set<Draft>();
    for (const [index, { draft, part, place, one }] of cited.entries()) {
      const since = compared.value[index] ?? null;
      if (since === "unknown") untold.add(draft);
      else draft.citations[place] = withPartChanges(one, since, part.folder);
    }
    for (const { draft, index } of asked) if (!untold.has(draft)) draft.looked[index] = tip.commit;
    isWhole &&= untold.size === 0;
  }
  for (const draft of drafts) isWhole = pages(deps, draft) && isWhole;
  const changed: CheckedAnswer[] = [];
  for (const { answer, citations, looked } of drafts) {
    const { conversation, message } = answer;
    const isShown = JSON.stringify(citations) !== JSON.stringify(answer.citations);
    if (!isShown && looked.join(" ") === answer.looked.join(" ")) continue;
    const isQuiet = isShown && (await isLeftAlone(deps, answer));
    changed.push({ conversation, message, citations, looked, isQuiet });
  }
  for (let first = 0; first < changed.length && !signal.aborted; first += AT_ONCE) {
    const stored = await deps.answers.setLooked(changed.slice(first, first + AT_ONCE));
    if (stored.kind === "failed") isWhole = false;
    else for (const id of stored.shown) deps.shown(id);
  }
  return isWhole && !signal.aborted;
};

/** Creates the new state of an answer, with one `looked` entry for each repository. */
const draftOf = (answer: Answer) => {
  const parts = citedPartsOf(answer);
  const looked = parts.map((_, index) => answer.looked[index] ?? "");
  return { answer, parts, citations: [...answer.citations], looked };
};

type Draft = ReturnType<typeof draftOf>;

/** Marks quoted pages that are no longer in the index or lack the quoted words. Returns false if a page is undecidable. */
const pages = ({ knowledge }: RecheckDeps, { answer, citations }: Draft): boolean => {
  const cited = answer.citations.filter(isPage);
  if (cited.length === 0) return true;
  const { conversation: id, surface, repo } = answer;
  const stands = knowledge.stands({ id, surface, repo }, cited);
  for (const [index, one] of cited.entries()) {
    const kind = stands[index];
    if (kind === "holds" || kind === "gone")
      citations[answer.citations.indexOf(one)] = withPartChanges(one, kind === "holds" ? null : GONE);
  }
  return !stands.includes("unknown");
};

const GONE: CitationChange = { kind: "changed", commit: null };

/** A changed citation does not bring archived conversations and threads back. */
const isLeftAlone = async ({ readThread }: RecheckDeps, answer: Answer): Promise<boolean> => {
  if (answer.isArchived) return true;
  if (answer.thread === null) return false;
  return (await readThread(answer.surface, answer.thread))?.isArchived === true;
};
