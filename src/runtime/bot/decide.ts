import type { MessageId } from "../../machine/id.ts";
import { escapeOwn } from "../../machine/message-parts.ts";
import type { Choice, Write } from "../../machine/vocabulary.ts";
import type { ActRequest, ActResult } from "../../ports/bot.ts";
import type { Drafts } from "../../ports/drafts.ts";
import { DONE } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { StoredContent } from "../../thread/prompt.ts";
import { missingSets, missingText, OWNERS_UNREAD, type OwnerTable } from "../../thread/owners.ts";
import { proposalIn } from "../../thread/proposal.ts";
import type { Live } from "../live/conversation.ts";
import { askConversation, type DeliveryResult } from "../live/mailbox.ts";
import type { Label, LocalizedText } from "../../i18n/say.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

interface DecideDeps {
  readonly store: Pick<Store, "question" | "words">;
  readonly drafts?: Pick<Drafts, "tree">;
  /** Absent if PARLEY_CODEOWNERS is off. */
  readonly owners?: OwnerTable;
  readonly newMessage: () => MessageId;
  readonly ending: AbortSignal;
}

export const decide = async (
  deps: DecideDeps,
  live: Live,
  request: ActRequest & { readonly kind: "decide" },
): Promise<ActResult> => {
  const row = deps.store.question(request.question);
  if (row === null || row.conversation !== live.state().id) return EXPIRED;
  if (row.status !== "pending") return settledQuestion(deps, request.question);
  const { question } = row;
  const { choice, by, commits, option } = request;
  const notOwner = ownerRefusal(deps, live, request);
  if (notOwner !== null) return notOwner;
  const comment = request.comment === null ? null : deps.newMessage();
  const words = comment === null ? [] : [{ id: comment, words: addedWords(choice, request.comment ?? "") }];
  const past = await changedSince(deps, live, choice);
  const decided = {
    kind: "decided",
    question,
    choice,
    by,
    comment,
    ...omitUndefined({ commits, option }),
  } as const;
  const settled = await askConversation(live, decided, by.id, { words });
  const lost = settled.kind === "refused" && settled.why === "already_decided";
  if (lost) return settledQuestion(deps, request.question);
  // An outdated click is carried out as well: the write checks the draft itself, and the card shows the result.
  return past !== null && settled.kind === "accepted" ? past : actResult(settled);
};

export const actResult = (settled: DeliveryResult): ActResult =>
  settled.kind === "accepted" ? DONE : settled;

const OWNED_WRITES: readonly Write[] = ["open_pull_request", "merge_pull_request"];

/** An approver must own every owned file of the change. */
const ownerRefusal = (
  { store, owners }: DecideDeps,
  live: Live,
  { choice, by, groups = [] }: ActRequest & { readonly kind: "decide" },
): (ActResult & { kind: "refused" }) | null => {
  const { phase } = live.state();
  if (owners === undefined || phase.kind !== "awaitingApproval" || !by.mayApprove) return null;
  const { question } = phase;
  const isChange =
    question.kind === "result" || (question.kind === "write" && OWNED_WRITES.includes(question.write));
  if (!isChange || !["apply", "pull_request", "approve"].includes(choice)) return null;
  const owned = proposalIn(store.words([question.shown]).get(question.shown))?.owners;
  const missing = owned === undefined ? [] : missingSets(owned, owners, by.id, groups);
  if (owned !== undefined && missing.length === 0) return null;
  const says: LocalizedText = (say) => (owned === undefined ? say(OWNERS_UNREAD) : missingText(missing, say));
  return { kind: "refused", why: "not_owner", says };
};

/** Returns the reply if the draft differs from its card. */
const changedSince = async (
  { store, drafts, ending }: DecideDeps,
  live: Live,
  choice: Choice,
): Promise<ActResult | null> => {
  const { phase, id } = live.state();
  const isApproval = choice === "apply" || choice === "pull_request";
  if (!isApproval || phase.kind !== "awaitingApproval" || phase.question.kind !== "result") return null;
  const { shown } = phase.question;
  const drawn = proposalIn(store.words([shown]).get(shown))?.draft;
  const now = await drafts?.tree(id, ending);
  if (now?.kind === "none") return { ...EXPIRED, says: (say) => say(GONE) };
  return now?.kind === "tree" && now.tree !== drawn?.tree ? EXPIRED : null;
};

const settledQuestion = ({ store }: DecideDeps, wire: string): ActResult => {
  const { status = "withdrawn", by, at } = store.question(wire) ?? {};
  const first = omitUndefined({ by: by ?? undefined, at: at ?? undefined });
  // Requested changes make the old card obsolete.
  return status === "withdrawn" || status === "pending" || status === "changes"
    ? { ...EXPIRED, ...first }
    : { kind: "refused", why: "already_decided", ...first, choice: status };
};

const addedWords = (choice: Choice, said: string): StoredContent => {
  const text = escapeOwn({ text: said });
  return choice === "changes" || choice === "reply"
    ? { kind: "said", text, images: [] }
    : { kind: "comment", text };
};

const GONE: Label =
  "The draft behind this card is gone, so nothing was done. Ask me to draft the change again.";

const EXPIRED: ActResult & { kind: "refused" } = { kind: "refused", why: "stale" };
