/** A chat thread is opened before its conversation, so that people can read every conversation (D16, BED-021). */

import { createHash } from "node:crypto";
import { ownModel } from "../../machine/model-fallback.ts";
import type { Effect } from "../../machine/effect.ts";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { CopyOutcome, QuotedContent, Speaker, UntrustedContent } from "../../machine/vocabulary.ts";
import type { State } from "../../machine/state.ts";
import type { Bot, CreateResult } from "../../ports/bot.ts";
import type { Message } from "../../ports/claims.ts";
import type { Conversation, ConversationOrigin, Place } from "../../ports/conversation.ts";
import { type Clock, pause, type WriteFailure } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { NewThreads } from "../../ports/threads.ts";
import type { CopiedCheckout, CheckoutCopier } from "../../ports/workspaces.ts";
import { answerText } from "../../thread/visible-text.ts";
import { seedText } from "../../thread/summary-prompt.ts";
import type { Live } from "../live/conversation.ts";
import { deliveredEvent } from "../live/mailbox.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

export type NewConversation = Pick<
  Conversation,
  "id" | "surface" | "repo" | "title" | "createdBy" | "origin"
> &
  Partial<Pick<Conversation, "base">> & {
    /** Absent for the host's default model. */
    readonly model?: string;
  };

type Effected = Effect & { readonly kind: "branch" };

interface BranchDeps {
  readonly store: Pick<Store, "told" | "words">;
  readonly clock: Clock;
  readonly create: (conversation: NewConversation, thread?: Place) => Promise<CreateResult>;
  readonly open: (id: ConversationId) => Live | null;
  readonly act: Bot["act"];
  readonly say: Bot["say"];
  readonly threads: NewThreads;
  readonly carries: CheckoutCopier;
  readonly ending: AbortSignal;
}

const DISK_RETRY: Millis = 1_000;

export const createBranch =
  (deps: BranchDeps) =>
  async (live: Live, effect: Effected): Promise<void> => {
    const made = await make(deps, live.conversation(), effect);
    if (made === null || deps.ending.aborted) return;
    const { id: conversation, ...said } = made;
    live.post(deliveredEvent({ kind: "branched", by: effect.id, conversation, ...said }));
  };

interface Made {
  readonly id: ConversationId | null;
  readonly link?: string;
  readonly why?: string;
  readonly carried?: CopyOutcome;
}

/** Null if the process ends first. */
const make = async (deps: BranchDeps, from: Conversation, effect: Effected): Promise<Made | null> => {
  const id = nameOf(from.id, effect.id);
  const beginning = beginningOf(deps, from, effect);
  if (beginning === null) return NOT_MADE;
  const { mode, by } = effect;
  const { why } = beginning;
  const { title } = from;
  const threaded = await deps.threads.open(from, { key: id, title, mode, by, why }, deps.ending);
  if (threaded.kind === "ended") return null;
  if (threaded.kind === "refused") return { id: null, why: threaded.why };
  return begin(deps, from, effect, id, beginning, threaded.kind === "none" ? null : threaded);
};

const begin = async (
  deps: BranchDeps,
  from: Conversation,
  { mode, by }: Effected,
  id: ConversationId,
  beginning: Beginning,
  threaded: { readonly thread: Place; readonly link: string | null } | null,
): Promise<Made | null> => {
  const carried = beginning.why === "branch" ? NOTHING : await deps.carries.carry(from, id, deps.ending);
  if (carried.kind === "aborted") return null;
  if (deps.open(id) === null) {
    const { surface, repo, title, instructions } = from;
    const origin = { conversation: from.id, why: beginning.why };
    const { base } = carried;
    const before = deps.open(from.id)?.state();
    const kept = omitUndefined({ instructions, model: before && ownModel(before).name });
    const made = await untilStored(deps, () =>
      deps.create({ id, surface, repo, title, createdBy: by, origin, base, ...kept }, threaded?.thread),
    );
    if (made === null) return null;
    if (made.kind === "failed") return { id: null, why: made.message };
  }
  await untilStored(deps, () =>
    deps.act(id, {
      kind: "mode",
      mode,
      reason: "The conversation that it goes on from is in this mode.",
      by,
    }),
  );
  await deps.threads.joined(from, id, beginning.speaker.id);
  const link = threaded?.link ?? undefined;
  const made = { id, ...omitUndefined({ link, carried: carried === NOTHING ? undefined : carried.kind }) };
  const said = beginning.said(carried);
  if (said === null) return made;
  const taken = await untilStored(deps, () =>
    deps.say({
      surface: "parley",
      id: `branch/${id}`,
      conversation: id,
      speaker: beginning.speaker,
      ...said,
    }),
  );
  return taken === null ? null : made;
};

/** Null if the process ends before the write succeeds. */
const untilStored = async <T extends { readonly kind: string }>(
  { clock, ending }: BranchDeps,
  write: () => Promise<T | WriteFailure>,
): Promise<T | WriteFailure | null> => {
  while (!ending.aborted) {
    const written = await write();
    const isPassing = "code" in written && PASSING.has(written.code);
    if (!isPassing) return written;
    await pause(clock, DISK_RETRY, ending);
  }
  return null;
};

const PASSING: ReadonlySet<WriteFailure["code"]> = new Set(["disk_full", "read_only", "io", "closing"]);

/** Deterministic, so that the next process does not create a second conversation after a crash. */
const nameOf = (from: ConversationId, effect: string): ConversationId =>
  `c-${createHash("sha256").update(`${from}/${effect}`).digest("hex").slice(0, 32)}`;

interface Beginning {
  readonly why: ConversationOrigin["why"];
  readonly speaker: Speaker;
  /** Null if the thread starts empty. */
  readonly said: (carried: Brought) => Message | null;
}

const beginningOf = (deps: BranchDeps, { id }: Conversation, { seed }: Effected): Beginning | null => {
  if (seed === undefined) return lastSaid(deps, id);
  const { summary, speaker } = seed;
  if (summary === null) return { why: "continuation", speaker, said: () => null };
  const told = answerText(deps.store.words([summary]).get(summary));
  const quoted = { ...readIn(deps.open(id)?.state()), summaries: 1 };
  return {
    why: "continuation",
    speaker,
    said: (carried) => seeded(seedText(told, carriedText(carried)), quoted),
  };
};

/** The new conversation shows the files of the earlier one, whoever speaks there. */
const readIn = ({
  untrusted,
  ownFiles,
}: Partial<Pick<State, "untrusted" | "ownFiles">> = {}): QuotedContent => {
  const { hosts: _, others: __, ...read } = untrusted ?? NOTHING_READ;
  return { ...read, files: read.files + (ownFiles?.count ?? 0) };
};

/** `own` marks the text as the host's. The text belongs to the message, so that erasing the speaker removes the text too. */
const seeded = (text: string, quoted: QuotedContent): Message => ({
  text,
  own: { brought: 0, said: text.length },
  images: [],
  quoted,
});

const lastSaid = ({ store, open }: BranchDeps, id: ConversationId): Beginning | null => {
  const state = open(id)?.state();
  const hasRead = state?.untrusted !== undefined || state?.ownFiles !== undefined;
  for (let turn = state?.turn.no ?? 0; turn > 0; turn -= 1) {
    const found = store
      .told(id, turn)
      .findLast(
        ({ entry, words }) => words?.kind === "said" && entry.kind === "said" && entry.added !== true,
      );
    if (found?.entry.kind !== "said" || found.words?.kind !== "said") continue;
    const { kind: _, ...words } = found.words;
    return {
      why: "branch",
      speaker: found.entry.speaker,
      said: () => (hasRead ? { ...words, quoted: readIn(state) } : words),
    };
  }
  return null;
};

const carriedText = (carried: Brought): string =>
  `${workText(carried)}${carried.drafted === true ? " The draft is open here, as it was left; what was proposed of it has to be proposed again." : ""}`;

const workText = (carried: Brought): string => {
  switch (carried.kind) {
    case "same":
      return "The working directory is a checkout of the same commit.";
    case "copied":
      return "The working directory is a copy of the earlier one, with its commits and with what was not committed.";
    case "left":
      return `The working directory is a checkout of the same commit. What was changed in the earlier conversation is not in it, because ${carried.why}.`;
  }
};

type Brought = Exclude<CopiedCheckout, { readonly kind: "aborted" }>;

/** A thread in another mode starts from the usual commit. */
const NOTHING: Brought = { kind: "same", base: null };

const NOTHING_READ: UntrustedContent = { messages: 0, previews: 0, files: 0, pictures: 0, hosts: [] };

const NOT_MADE: Made = { id: null };
