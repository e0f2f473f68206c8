import { createHash } from "node:crypto";
import type { MessageId } from "../../machine/id.ts";
import { reposOf } from "../../ports/conversation.ts";
import { ERASED, type Proposal, type StoredContent } from "../../thread/prompt.ts";
import { draftFacts, proposalIn } from "../../thread/proposal.ts";
import { answerText, callReason, dangerPrompt } from "../../thread/visible-text.ts";
import type { DecisionRow } from "../../store/tables/decisions.ts";
import { english } from "../../i18n/say.ts";
import { complain } from "./shared/complain.ts";
import { withStored } from "./shared/with-stored.ts";

const USAGE = "Usage: parley audit [--csv | --json]   (one decision per line, as JSON unless --csv is given)";

export const auditCommand = (args: readonly string[]): number => {
  const csv = args.includes("--csv");
  if (args.some((arg) => arg !== "--csv" && arg !== "--json") || (csv && args.includes("--json")))
    return complain(USAGE);
  return withStored(
    (directory) => `There is no database in ${directory} yet.`,
    ({ store, decisions }) => {
      if (csv) process.stdout.write(csvLine(COLUMNS));
      for (const row of decisions()) {
        const line = lineOf(row, (id) => store.words([id]).get(id));
        process.stdout.write(
          csv ? csvLine(COLUMNS.map((column) => line[column])) : `${JSON.stringify(line)}\n`,
        );
      }
      return 0;
    },
  );
};

const COLUMNS = [
  "askedAt",
  "kind",
  "surface",
  "repo",
  "conversation",
  "shown",
  "tool",
  "reason",
  "fingerprint",
  "fingerprintMatches",
  "outcome",
  "by",
  "decidedAt",
] as const;

type Line = Readonly<Record<(typeof COLUMNS)[number], string | boolean | null>>;

const lineOf = (row: DecisionRow, wordsOf: (id: MessageId) => StoredContent | undefined): Line => {
  const { asked } = row;
  return {
    askedAt: instant(row.askedAt),
    kind: asked?.ask.kind ?? null,
    surface: row.surface,
    repo: reposOf(row.repo)
      .map(({ location }) => location)
      .join(", "),
    conversation: row.conversation,
    shown: asked === null ? null : shownText(asked, wordsOf),
    tool: asked?.call.name ?? null,
    reason: asked === null ? null : (callReason(wordsOf(asked.message), asked.call.id) ?? ERASED),
    fingerprint: row.fingerprint,
    fingerprintMatches: row.shown === null ? null : sha256(row.shown) === row.fingerprint,
    outcome: row.status,
    by: row.by,
    decidedAt: row.at === null ? null : instant(row.at),
  };
};

const instant = (at: number): string => new Date(at).toISOString();

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const writeText = (write: string, proposal: Proposal | null): string => {
  if (proposal === null) return `${write}: ${ERASED}`;
  const { project, facts, texts } = proposal;
  const said = [...facts.map(({ name, value }) => `${name} ${value}`), ...texts.map(({ text }) => text)];
  return `${write}${project === "" ? "" : ` in ${project}`}: ${said.join("; ")}`;
};

/** Contains the full tree hash, so that a later result can be compared with the shown draft. */
const resultText = (proposal: Proposal | null): string =>
  proposal?.draft === undefined
    ? `draft: ${ERASED}`
    : [
        writeText("draft", proposal),
        `full tree ${proposal.draft.tree} on ${proposal.draft.base}`,
        ...draftFacts(proposal.draft, { code: (text) => text, say: english }, 100),
      ].join("; ");

const shownText = (
  { ask, message }: NonNullable<DecisionRow["asked"]>,
  wordsOf: (id: MessageId) => StoredContent | undefined,
): string => {
  switch (ask.kind) {
    case "upgrade":
      return "Unrestricted mode";
    case "mode":
      return `work mode ${ask.mode}`;
    case "write":
      return writeText(ask.write, proposalIn(wordsOf(ask.shown)));
    case "result":
      return resultText(proposalIn(wordsOf(ask.shown)));
    case "answer":
      return answerText(wordsOf(message));
    case "person":
      return "a question from the agent, which grants nothing";
    case "danger":
      return `${ask.categories.join(" ")}: ${dangerPrompt(wordsOf(ask.shown)).what}`;
  }
};

/** Text that a spreadsheet reads as a formula gets one more leading apostrophe, so that removing one restores the original. */
export const csvLine = (fields: readonly (string | boolean | null)[]): string =>
  `${fields.map((field) => quoted(field === null ? "" : String(field))).join(",")}\r\n`;

const quoted = (field: string): string => {
  const inert = /^'*[=+\-@\t\r]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};
