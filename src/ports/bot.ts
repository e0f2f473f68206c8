import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { State } from "../machine/state.ts";
import type {
  Category,
  Choice,
  Confinement,
  SeedChoice,
  Speaker,
  StopCause,
  ReviewDelay,
} from "../machine/vocabulary.ts";
import type { ThreadStatus } from "../thread/post.ts";
import type { Guidance, Instructions } from "./channels.ts";
import type { Claim, ClaimKey, Message, NewestText } from "./claims.ts";
import type { RepositoryBinding, Conversation, ListState, Place } from "./conversation.ts";
import type { ForgetPerson, ErasureRequest } from "./erasure.ts";
import type { WriteFailure } from "./host.ts";
import type { PostRow, QuestionRow, Store, TraceRow } from "./store.ts";
import type { CheckedPrefix } from "./surface.ts";
import type { SetupState } from "./workspaces.ts";
import type { LocalizedText } from "../i18n/say.ts";

export interface Overview {
  readonly conversation: Conversation;
  readonly state: State;
}

export interface Detail extends Overview {
  /** Read on each access, because few callers need the posts and there may be many. */
  readonly posts: readonly PostRow[];
  readonly question: QuestionRow | null;
  readonly status: ThreadStatus | null;
  readonly live: string;
}

/** Changes arrive in order, posts after the commit that made them. */
export type ConversationChange =
  | {
      readonly kind: "state";
      readonly overview: Overview;
      readonly status: ThreadStatus | null;
      readonly question: QuestionRow | null;
      readonly renamed?: true;
    }
  | { readonly kind: "posts"; readonly rows: readonly PostRow[] }
  /** Cumulative text of the request in flight; empty after its end. */
  | {
      readonly kind: "live";
      readonly request: EffectId | null;
      readonly text: string;
      readonly looked?: CheckedPrefix;
    }
  /** One line about long work before the model is asked, such as a clone. */
  | { readonly kind: "progress"; readonly line: string | null }
  /** The conversation was deleted. No change follows. */
  | { readonly kind: "gone" };

export type CreateResult = { readonly kind: "created"; readonly overview: Overview } | WriteFailure;

export type SayResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly why: Refusal }
  | { readonly kind: "unknown" }
  | WriteFailure;

export type ActResult =
  | { readonly kind: "done" }
  | {
      readonly kind: "refused";
      readonly why: Refusal;
      /** Person who decided first, with the time and choice of that decision. */
      readonly by?: PersonId;
      readonly at?: Millis;
      readonly choice?: Choice;
      /** Replaces the usual sentence of the refusal. */
      readonly says?: LocalizedText;
    }
  | { readonly kind: "unknown" }
  | WriteFailure;

export type ActRequest =
  | { readonly kind: "stop"; readonly by: PersonId; readonly why?: StopCause }
  | (Message & {
      readonly kind: "stopAndSend";
      readonly speaker: Speaker;
      /** The refused message that is now sent. A claim is accepted once. */
      readonly claim?: ClaimKey;
    })
  /** *Add to this turn* (D51). `edited`: the text tells how the author edited the message that the turn answers (D52). */
  | (Message & {
      readonly kind: "add";
      readonly speaker: Speaker;
      readonly claim?: ClaimKey;
      readonly edited?: true;
    })
  /** *Send when done*. In an idle conversation, the message starts at once. */
  | (Message & { readonly kind: "queue"; readonly speaker: Speaker; readonly claim?: ClaimKey })
  /** `message` names a waiting or added message that no request contains yet. */
  | { readonly kind: "unqueue"; readonly message: MessageId | ClaimKey; readonly by: Speaker }
  /**
   * The author edited a message. Added to the turn that the message belongs to, or the new text replaces one that nobody has
   * read. Refused as `stale` if the message was answered, and as `no_op` if nothing changed.
   */
  | { readonly kind: "edit"; readonly claim: ClaimKey; readonly text: string; readonly speaker: Speaker }
  | { readonly kind: "restrict"; readonly by: PersonId }
  /** Asks the upgrade question. */
  | { readonly kind: "unrestrict"; readonly by: Speaker }
  /** `other`: this turn uses the model that the failed turn offered. */
  | { readonly kind: "retry"; readonly speaker: Speaker; readonly other?: true }
  /** The answer in review still waits for a decision. The thread is notified once per reason. */
  | {
      readonly kind: "unseen";
      readonly question: QuestionId;
      readonly why: ReviewDelay;
      readonly days: number;
      readonly by: PersonId;
    }
  /** Today's denials no longer pause questions. */
  | { readonly kind: "askAgain"; readonly by: Speaker }
  /** Asks for the summary from which a new thread continues (BED-023). */
  | { readonly kind: "continue"; readonly by: Speaker }
  /** Continues an exhausted conversation (BED-021). */
  | { readonly kind: "move"; readonly seed: SeedChoice; readonly by: Speaker }
  | { readonly kind: "mode"; readonly mode: string; readonly reason: string; readonly by: PersonId }
  | { readonly kind: "model"; readonly model: string; readonly by: Speaker }
  /** The usual model answers again, after the model for first answers gave the last answer. */
  | { readonly kind: "deeper"; readonly answer: MessageId; readonly speaker: Speaker }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: Speaker }
  | { readonly kind: "grant"; readonly categories: readonly Category[]; readonly by: Speaker }
  | {
      readonly kind: "decide";
      /** Wire id of the question (D10). */
      readonly question: string;
      readonly choice: Choice;
      readonly by: Speaker;
      /** The person's groups among the owners' groups: `slack:group:ID`, `discord:role:ID`. */
      readonly groups?: readonly string[];
      readonly comment: string | null;
      /** How many commits of the draft to apply, counted from the first; absent for all. */
      readonly commits?: number;
      /** Number of the chosen answer to a question of the model, counted from 1. */
      readonly option?: number;
    };

interface Talking {
  create(request: {
    readonly surface: string;
    readonly repo: RepositoryBinding;
    readonly title: string;
    readonly by: PersonId;
    /** Thread of `surface` for the conversation; `conflict` if another conversation already has the thread. */
    readonly thread?: Place;
    readonly instructions?: Instructions;
    readonly introduces?: boolean;
    readonly model?: string;
  }): Promise<CreateResult>;
  say(claim: Omit<Claim, "at">): Promise<SayResult>;
  act(id: ConversationId, request: ActRequest): Promise<ActResult>;
  /** Returns a refused message for *Stop and send this* (D7); null if there is none. */
  refusedClaim(key: ClaimKey): Claim | null;
  /** `key`: claim of the message before its edits. Null if the message was never passed to the bot. */
  newestText(key: ClaimKey): NewestText | null;
}

interface Reading extends Pick<Store, "posts" | "latestPosts" | "post" | "words" | "told"> {
  list(limit: number, before: ConversationId | null, which?: ListState): readonly Overview[];
  read(id: ConversationId): Promise<Detail | null>;
  agents(id: ConversationId): readonly Overview[];
  trace(id: ConversationId): Iterable<TraceRow> | null;
  /** Calls `listener` for every change from now on and returns a function to stop. Listeners must not throw. */
  subscribe(id: ConversationId, listener: (change: ConversationChange) => void): () => void;
}

interface Surroundings {
  guidance(id: ConversationId): Promise<readonly Guidance[]>;
  /** Returns the state of the repository's setup; null if there is none, or if its commit was not read yet. */
  setUp(id: ConversationId): Promise<SetupState | null>;
}

interface Forgets {
  /** Erases text. Settles when the text is removed, also from the disk. Stops the turn that used the text. */
  forget(id: ConversationId, request: ErasureRequest): Promise<ActResult>;
  readonly forgetPerson: ForgetPerson;
}

/** All conversations, as surfaces use them. Asynchronous members settle after the commit, never after the work. */
export interface Bot extends Talking, Reading, Surroundings, Forgets, Archive {
  readonly boot: string;
  readonly confinement: Confinement;
  /** Handling of messages during a turn, for people with write permission (D51). */
  readonly whenBusy: "ask" | "add" | "wait";
  /** Handles SIGTERM: accepts no new work, lets commits finish, notifies busy threads, and ends running work within 4 s. */
  close(): Promise<void>;
}

/** Wraps the members that the conversation's owner must carry out if there are several hosts. */
export const ownedMembers = (
  { say, act, rename, archive, remove, guidance, setUp }: OwnedMembers,
  owned: RunAtOwner,
): OwnedMembers => ({
  say: owned("say", say, DONE_BY_OWNER),
  act: owned("act", act, DONE_BY_OWNER),
  rename: owned("rename", rename, DONE_BY_OWNER),
  archive: owned("archive", archive, DONE_BY_OWNER),
  remove: owned("remove", remove, DONE_BY_OWNER),
  guidance: owned("guidance", guidance, { failed: () => [], isUnknown: () => false }),
  setUp: owned("setUp", setUp, { failed: () => null, isUnknown: () => false }),
});

type OwnedMembers = Pick<Bot, "say" | "act" | "rename" | "archive" | "remove" | "guidance" | "setUp">;

/** Wraps a member so that each call runs on the host that owns the conversation. The first argument names the conversation. */
export type RunAtOwner = <Given extends OfConversation, Answer>(
  member: string,
  own: (...given: Given) => Promise<Answer>,
  answers: OwnerAnswers<Answer>,
) => (...given: Given) => Promise<Answer>;

type OfConversation = readonly [
  ConversationId | { readonly conversation: ConversationId },
  ...(readonly unknown[]),
];

export interface OwnerAnswers<Answer> {
  /** Used if no owner can be asked. */
  readonly failed: (failure: WriteFailure) => Answer;
  /** Whether the answering host does not know the conversation, which is then moving to another host. */
  readonly isUnknown: (answer: Answer) => boolean;
}

const DONE_BY_OWNER = {
  failed: (failure: WriteFailure) => failure,
  isUnknown: ({ kind }: { readonly kind: string }) => kind === "unknown",
};

/** Calls settle after the change is on disk. */
export interface Archive {
  rename(id: ConversationId, title: string, by: PersonId): Promise<ActResult>;
  /** Stops the conversation's work and removes it from the list. `false` restores it, and so does the next turn. */
  archive(id: ConversationId, archived: boolean, by: PersonId): Promise<ActResult>;
  /** Deletes the conversation, its sub-agents, and files that no other conversation uses. Posts on platforms remain. */
  remove(id: ConversationId, by: PersonId): Promise<ActResult>;
}

/** Data of a deleted conversation outside of the store. */
export interface ConversationFiles {
  /** Deletes the checkout, the home directory and related directories. Idempotent. */
  discard(id: ConversationId): Promise<void>;
  /** Rewrites stored copies of the conversation's text with `without`. Idempotent. */
  erase(id: ConversationId, without: (text: string) => string): Promise<void>;
}
