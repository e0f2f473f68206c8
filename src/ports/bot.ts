/** What surfaces see of conversations and can do with them. */

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
} from "../machine/words.ts";
import type { ThreadStatus } from "../thread/post.ts";
import type { Guidance, Instructions } from "./channels.ts";
import type { Claim, ClaimKey, Message } from "./claims.ts";
import type { RepositoryBinding, Conversation, ListState, Place } from "./conversation.ts";
import type { ForgetPerson, ErasureRequest } from "./erasure.ts";
import type { WriteFailure } from "./host.ts";
import type { PostRow, QuestionRow, Store, TraceRow } from "./store.ts";
import type { CheckedPrefix } from "./surface.ts";
import type { SetupState } from "./workspaces.ts";
import type { LocalizedText } from "../i18n/say.ts";

/** A conversation as lists and headers show it. */
export interface Overview {
  readonly conversation: Conversation;
  readonly state: State;
}

export interface Detail extends Overview {
  /** Read when they are looked at, because few need them and there may be many. */
  readonly posts: readonly PostRow[];
  readonly question: QuestionRow | null;
  readonly status: ThreadStatus | null;
  /** Text streamed so far by the request in flight; empty when none. */
  readonly live: string;
}

/** What a subscriber hears, in order. Posts come after the commit that made them. */
export type ConversationChange =
  | {
      readonly kind: "state";
      readonly overview: Overview;
      readonly status: ThreadStatus | null;
      readonly question: QuestionRow | null;
      /** Somebody has just given it another name. */
      readonly renamed?: true;
    }
  | { readonly kind: "posts"; readonly rows: readonly PostRow[] }
  /** Cumulative text of the request in flight; empty when it is over. */
  | {
      readonly kind: "live";
      readonly request: EffectId | null;
      readonly text: string;
      readonly looked?: CheckedPrefix;
    }
  /** One line about long work before the model is asked (a clone). */
  | { readonly kind: "progress"; readonly line: string | null }
  /** It was removed; nothing more comes. */
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
      /** Whoever was first, and what they decided. */
      readonly by?: PersonId;
      readonly at?: Millis;
      readonly choice?: Choice;
      /** In place of the usual sentence. */
      readonly says?: LocalizedText;
    }
  | { readonly kind: "unknown" }
  | WriteFailure;

export type ActRequest =
  | { readonly kind: "stop"; readonly by: PersonId; readonly why?: StopCause }
  | (Message & {
      readonly kind: "stopAndSend";
      readonly speaker: Speaker;
      /** The refused message that is sent after all; it is taken once. */
      readonly claim?: ClaimKey;
    })
  | { readonly kind: "restrict"; readonly by: PersonId }
  /** Puts the question of the upgrade before people. */
  | { readonly kind: "unrestrict"; readonly by: Speaker }
  /** `other`: by the model that the failed turn offers, for this turn. */
  | { readonly kind: "retry"; readonly speaker: Speaker; readonly other?: true }
  /** Nobody has decided on the answer that is held: its thread is told, once. */
  | {
      readonly kind: "unseen";
      readonly question: QuestionId;
      readonly why: ReviewDelay;
      readonly days: number;
      readonly by: PersonId;
    }
  /** The denials of the day hold back nothing more. */
  | { readonly kind: "askAgain"; readonly by: Speaker }
  /** Ask for the summary with which it goes on in a new thread (BED-023). */
  | { readonly kind: "continue"; readonly by: Speaker }
  /** Go on from an exhausted conversation (BED-021). */
  | { readonly kind: "move"; readonly seed: SeedChoice; readonly by: Speaker }
  | { readonly kind: "mode"; readonly mode: string; readonly reason: string; readonly by: PersonId }
  /** By a name that this host knows (`ModelNames`). */
  | { readonly kind: "model"; readonly model: string; readonly by: Speaker }
  /** The usual model answers anew what that of first answers has answered last. */
  | { readonly kind: "deeper"; readonly answer: MessageId; readonly speaker: Speaker }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: Speaker }
  | { readonly kind: "grant"; readonly categories: readonly Category[]; readonly by: Speaker }
  | {
      readonly kind: "decide";
      /** Wire id of the question (D10). */
      readonly question: string;
      readonly choice: Choice;
      readonly by: Speaker;
      /** Those of the owners' groups that hold the person: `slack:group:ID`, `discord:role:ID`. */
      readonly groups?: readonly string[];
      readonly comment: string | null;
      /** Only the first so many commits of the draft. */
      readonly commits?: number;
    };

/** What people say and do in conversations. */
interface Talking {
  create(request: {
    readonly surface: string;
    readonly repo: RepositoryBinding;
    readonly title: string;
    readonly by: PersonId;
    /** The thread of `surface` that it lives in; `conflict` where another conversation does. */
    readonly thread?: Place;
    /** Of its channel. */
    readonly instructions?: Instructions;
    /** The first of its channel. */
    readonly introduces?: boolean;
    /** That answers, where its channel has one of its own. */
    readonly model?: string;
  }): Promise<CreateResult>;
  say(claim: Omit<Claim, "at">): Promise<SayResult>;
  act(id: ConversationId, request: ActRequest): Promise<ActResult>;
  /** A message that was refused, for *Stop and send* (D7); null where there is none. */
  refusedClaim(key: ClaimKey): Claim | null;
}

/** What is stored of conversations, and every change of it from now on. */
interface Reading extends Pick<Store, "posts" | "latestPosts" | "post" | "words" | "told"> {
  list(limit: number, before: ConversationId | null, which?: ListState): readonly Overview[];
  read(id: ConversationId): Promise<Detail | null>;
  /** The sub-agents that it has started, earlier ones first. */
  agents(id: ConversationId): readonly Overview[];
  trace(id: ConversationId): Iterable<TraceRow> | null;
  /** Every change from now on; returns the way to stop. Listeners must not throw. */
  subscribe(id: ConversationId, listener: (change: ConversationChange) => void): () => void;
}

/** What a conversation's repository brings. */
interface Surroundings {
  /** What the conversation's repository says about how to work in it; null where it says nothing. */
  guidance(id: ConversationId): Promise<readonly Guidance[]>;
  /** How its repository's set-up stands; null where it has none, or nobody has looked at its commit yet. */
  setUp(id: ConversationId): Promise<SetupState | null>;
}

interface Forgets {
  /** Takes words back: settles when they are gone, also from the disk. Stops the turn that worked with them. */
  forget(id: ConversationId, request: ErasureRequest): Promise<ActResult>;
  /** The same of all that somebody said, in every conversation. */
  readonly forgetPerson: ForgetPerson;
}

/** All conversations, as surfaces use them. Asynchronous members settle after the commit, never after the work. */
export interface Bot extends Talking, Reading, Surroundings, Forgets, Archive {
  readonly boot: string;
  readonly confinement: Confinement;
  /** SIGTERM: takes no new work, lets commits finish, says so in busy threads, ends what runs; at most 4 s. */
  close(): Promise<void>;
}

/** Of several hosts, the one that has the conversation carries these out for the others. */
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

/** The same member, carried out by the owner of the conversation that the first argument names. */
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
  /** If no owner can be asked. */
  readonly failed: (failure: WriteFailure) => Answer;
  /** The host that answers does not know the conversation: it is on its way to another one. */
  readonly isUnknown: (answer: Answer) => boolean;
}

const DONE_BY_OWNER = {
  failed: (failure: WriteFailure) => failure,
  isUnknown: ({ kind }: { readonly kind: string }) => kind === "unknown",
};

/** What surfaces offer. Every answer comes when what was asked for is on the disk. */
export interface Archive {
  rename(id: ConversationId, title: string, by: PersonId): Promise<ActResult>;
  /** It stops what it does and leaves the list; `false` brings it back, and so does the next turn. */
  archive(id: ConversationId, archived: boolean, by: PersonId): Promise<ActResult>;
  /**
   * It stops what it does and is gone with its sub-agents: words, posts, trace, files that nobody else names, checkout.
   * What it wrote on a chat platform stays there.
   */
  remove(id: ConversationId, by: PersonId): Promise<ActResult>;
}

/** What a removed conversation leaves outside of the store. */
export interface ConversationFiles {
  /** Its checkout, home and whatever lies beside them. Again is no harm. */
  discard(id: ConversationId): Promise<void>;
  /** Rewrites what is kept there of the words that were said. Again is no harm. */
  erase(id: ConversationId, without: (text: string) => string): Promise<void>;
}
