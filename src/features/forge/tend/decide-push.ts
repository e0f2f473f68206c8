/** Decides about a card under the click on *Look after this pull request*. A change beyond the bounds stays with people. */

import type { MessageId, Millis } from "../../../machine/id.ts";
import type { Detail } from "../../../ports/bot.ts";
import type { ForgeResult } from "../../../ports/forge.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { proposalIn } from "../../../thread/proposal.ts";
import type { Label } from "../../../i18n/say.ts";
import type { TendedPull, TendedPush } from "./bounds.ts";
import { pushVerdict } from "./bounds.ts";
import { ownedPaths, type TendProject } from "./forge-facts.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { isSteeredTurn } from "./steered.ts";
import { tendSpeaker } from "./turn-text.ts";
import { askLine } from "./words.ts";

interface Card {
  readonly wire: string;
  readonly shown: MessageId;
  readonly fingerprint: string;
  readonly isSteered: boolean;
}

/** The open card of a turn that this click began; null for other questions. */
export const cardIn = (pull: TendedPull, made: readonly TendedPush[], detail: Detail): Card | null => {
  const { state, question } = detail;
  const { phase, turn } = state;
  if (turn.speaker?.id !== tendSpeaker(pull).id || phase.kind !== "awaitingApproval") return null;
  if (phase.question.kind !== "result" || question === null || !phase.question.pull) return null;
  const { shown, fingerprint } = phase.question;
  return { wire: question.wire, shown, fingerprint, isSteered: isSteeredTurn(detail, made) };
};

/** `ended`: the click no longer allows pushes. `again`: a row or the platform has failed. `wait`: as long as the forge demands. */
type CardResult =
  | { readonly kind: "decided" }
  | { readonly kind: "ended" }
  | { readonly kind: "again" }
  | { readonly kind: "trouble"; readonly wait?: Millis };

const DECIDED: CardResult = { kind: "decided" };
const AGAIN: CardResult = { kind: "again" };

export const decideCard = async (
  deps: Pick<
    RunnerDeps,
    "rows" | "words" | "mayApprove" | "forgeRight" | "clock" | "spent" | "bot" | "tell" | "sayIn"
  >,
  pull: TendedPull,
  card: Card,
  { project, desk }: TendProject,
  signal: AbortSignal,
): Promise<CardResult> => {
  const { rows } = deps;
  const proposal = proposalIn(deps.words([card.shown]).get(card.shown));
  if (proposal?.draft === undefined) return DECIDED;
  const [branches, read] = await Promise.all([desk.branches(signal), project.pull(pull.number, signal)]);
  if (read.kind === "trouble") return troubleOf(read);
  if (branches.kind === "trouble") return troubleOf(branches);
  const owners = await project.ownersFile(read.value.base, signal);
  if (owners.kind === "trouble") return troubleOf(owners);
  const mayApprove = await deps.mayApprove(pull);
  if (mayApprove === null) return AGAIN;
  const paths = proposal.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const { draft, unlisted, owners: known } = proposal;
  const verdict = pushVerdict(rows.find(pull.id) ?? pull, {
    now: deps.clock.now(),
    spent: deps.spent(pull),
    // A repeated decision about this card counts once.
    made: rows.pushes(pull.id).filter(({ fingerprint }) => fingerprint !== card.fingerprint),
    head: branches.value.get(pull.branch) ?? null,
    isOpen: read.value.state === "open" || read.value.state === "draft",
    delicate: draft.delicate,
    unlisted,
    isDiffCut: draft.isDiffCut,
    owned: [...(known?.sets.map(({ path }) => path) ?? []), ...ownedPaths(owners.value, paths)],
    testFailed: draft.test !== null && draft.test.status !== 0,
    isSteered: card.isSteered,
    hadEdits: pull.cause.hadEdits === true,
    mayApprove,
  });
  if (verdict.kind === "ask") {
    // A person decides now, so an earlier decision about this content is void.
    const earlier = rows.pushes(pull.id).filter(({ fingerprint }) => fingerprint === card.fingerprint);
    for (const { no } of earlier) await rows.drop(pull.id, no);
    const line = askLine(verdict.why, deps.sayIn(pull));
    return (await deps.tell(pull, `ask ${card.wire}`, line)) ? DECIDED : AGAIN;
  }
  const right = await deps.forgeRight(pull, signal);
  if (right.kind === "unread") return { kind: "trouble" };
  if (right.kind === "lost")
    return (await rows.end(pull.id, right.why)).kind === "done" ? { kind: "ended" } : AGAIN;
  const admitted = await rows.admit(pull, card.fingerprint);
  if (admitted.kind === "failed") return AGAIN;
  const push = rows
    .pushes(pull.id)
    .find(({ fingerprint, standing }) => fingerprint === card.fingerprint && standing !== "void");
  if (push === undefined) return DECIDED;
  const decided = await deps.bot.act(pull.conversation, {
    kind: "decide",
    question: card.wire,
    choice: "pull_request",
    by: { id: pull.by, name: pull.byName ?? pull.by, mayDrive: true, mayApprove: true },
    comment: deps.sayIn(pull)(BY_CLICK),
  });
  if (decided.kind === "failed") return AGAIN;
  if (decided.kind !== "done") await rows.drop(pull.id, push.no);
  return DECIDED;
};

const troubleOf = ({ wait }: ForgeResult<never> & { readonly kind: "trouble" }): CardResult => ({
  kind: "trouble",
  ...omitUndefined({ wait }),
});

const BY_CLICK: Label = "Decided by the earlier click on *Look after this pull request*.";
