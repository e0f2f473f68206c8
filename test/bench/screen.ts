/** What `npm run bench` shows: of each benchmark of the table what one asks first, on one screen. Pure. */

import { besideCell, cell, patternOf } from "./report.ts";
import { alignRows, type Outcome, targetText } from "./table.ts";

/** Lines of a screen. */
export const MOST_LINES = 50;

/** Rows, as causes.txt names them. */
const ROWS: readonly RegExp[] = [
  "sandbox: T0 (root): Restricted, asked for in C",
  "sandbox: T0 (root): 64 at once, all done",
  "sandbox: T1 (a user): Restricted, asked for in C",
  "answers-alone: *, one of 6,000 characters: calls of the platform for each",
  "answers-alone: *, one of 6,000 characters: processor time for each",
  "answers-alone: *, one of 6,000 characters: first words visible",
  "answers-alone: *, one of 6,000 characters: readers behind, p95",
  "answers-at-once: *, 50 of 6,000 characters: calls of the platform for each",
  "answers-at-once: *, 50 of 6,000 characters: processor time for each",
  "answers-at-once: *, 50 of 6,000 characters: readers behind, p95",
  "answers-at-once: *, 500 of 2,000 characters: readers behind, p95",
  "streams: native streams: resident memory, most",
  "streams: native streams: event loop, p99",
  "step: turns, OFF: step 100,000",
  "step: one long turn, OFF: step *",
  "start: ready, later start",
  "start: * conversations: ready",
  "idle: *: the host and its helpers",
  "cost: cost by the catalogue's prices",
  "cost: cache reads of the prefix, least of a request",
  "model: anthropic, 1,000 tokens",
  "model: openai responses over anthropic",
  "drafts: opening, *",
  "drafts: draft beside Restricted, medians",
  "hooks: answered below it",
  "knowledge: a search",
  "knowledge: recall at 5, *",
  "fleet: all of a turn",
  "fleet: * three hosts*",
].map(patternOf);

export const renderScreen = (outcomes: readonly Outcome[]): string =>
  alignRows(
    [
      ["", "Parley", "", "beside it, and Parley in proportion"],
      ...outcomes.flatMap(({ name, figures }) =>
        figures
          .filter(({ what }) => ROWS.some((row) => row.test(`${name}: ${what}`)))
          .map((one) => {
            const what = `${name}: ${one.what}`;
            if (one.kind === "skipped") return [what, "", "", one.why];
            const beside = one.beside.map((peer) => `${peer.who}: ${besideCell(peer, one)}`).join("; ");
            const asked =
              one.ok === false && one.target !== null ? `over ${targetText(one.target, one)}` : "";
            return [what, cell(one, one), asked, beside];
          }),
      ),
    ],
    new Set([1]),
  );
