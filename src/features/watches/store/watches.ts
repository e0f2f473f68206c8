/** No method of these ports throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import type { Done, WriteFailure } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { LocalizedText } from "../../../i18n/say.ts";

export type WatchSource =
  /** `cron` and `zone`: the rule. `spoken`: the rule in words. `last`: the last handled instant. */
  | {
      readonly kind: "schedule";
      readonly cron: string;
      readonly zone: string;
      readonly spoken: string;
      readonly text: string;
      readonly last: Millis;
    }
  /** `POST /hooks/ID`, with templates for title, text and fingerprint in its JSON; null for the usual fields. */
  | {
      readonly kind: "hook";
      readonly title: string | null;
      readonly text: string | null;
      readonly key: string | null;
    }
  /** Posts of an app at the top level of the channel, by an id of the platform. */
  | { readonly kind: "posts"; readonly app: string }
  /** Webhooks of the forge of the channel's repository, all sent to `POST /hooks/FORGE`. */
  | ForgeSource
  | PeopleSource
  /** A person who adds the emoji to a message is the requester. `emoji`: its name, or its character. */
  | { readonly kind: "emoji"; readonly emoji: string };

/** Posts of people at the top level of the channel (D55). Patterns are words with `*`. */
export interface PeopleSource {
  readonly kind: "people";
  /** A post must match one of them; none: every post. */
  readonly with: readonly string[];
  readonly without: readonly string[];
  readonly onlyQuestions: boolean;
  /** Id of a role or user group; null for everybody. */
  readonly from: string | null;
  readonly hours: WorkingHours | null;
  /** Start of the names of public channels, which are watched instead of the watch's own channel. */
  readonly incidents: string | null;
  /** Whether a look may notify the owners of the code that it names. */
  readonly notifyOwners: boolean;
  /** Maximum number of posts that the first model reads an hour. */
  readonly postsPerHour: number;
  /** Daily budget of first looks; the budget of the watch limits the answers. Null for no limit. */
  readonly lookBudget: MicroUsd | null;
}

/** Whole hours of Monday to Friday, in a time zone. `until` is not included. */
export interface WorkingHours {
  readonly from: number;
  readonly until: number;
  readonly zone: string;
}

export interface ForgeSource {
  readonly kind: "forge";
  readonly forge: Forge;
  readonly hears: readonly ForgeEventKind[];
  /** Label that an issue must have; null if every new issue counts. */
  readonly label: string | null;
  /** Name that a comment must mention, without `@`. */
  readonly called: string;
}

export const FORGES = ["github", "gitlab"] as const;
export type Forge = (typeof FORGES)[number];

/** `follow`: the agent looks into outcomes of Parley's pull requests in their threads. */
export const FORGE_EVENT_KINDS = ["issues", "pulls", "reviews", "checks", "mentions", "follow"] as const;
export type ForgeEventKind = (typeof FORGE_EVENT_KINDS)[number];

/** The person who added a watch may manage its channel. */
export interface Watch extends ChannelAddress {
  /** Name for people; the address of a hook. */
  readonly id: string;
  readonly source: WatchSource;
  /** Key of the work mode of new threads; null for the channel's mode. */
  readonly mode: string | null;
  /** Instructions for an event, as the person who added the watch wrote them; null for triage. */
  readonly instructions: string | null;
  readonly perHour: number;
  readonly standing: WatchState;
  readonly failures: number;
  readonly by: PersonId;
  readonly at: Millis;
}

export type WatchState =
  /** `since`: the latest resumption; absent if the watch was never paused or off. */
  | { readonly kind: "on"; readonly since?: Millis }
  | { readonly kind: "paused"; readonly by: PersonId }
  /** `why`: a sentence. */
  | { readonly kind: "off"; readonly why: string };

/** Stored before its sender gets a response. */
export interface WatchEvent {
  readonly watch: string;
  /** The source's id of the event; the same id means the same event. */
  readonly delivery: string;
  /** Events with the same fingerprint belong to one matter. */
  readonly fingerprint: string;
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
  /** Time of the event according to its source. */
  readonly at: Millis;
  /** The post of an app or a person, if the event came from one; the thread is attached to that message. */
  readonly post?: string;
  /** Present if a person wrote the post without addressing Parley. */
  readonly person?: PersonPost;
  /** Present if the event is reported in an existing thread. */
  readonly follows?: PullOutcome;
  /** Present if the event requests a review of a pull request. */
  readonly asksReview?: true;
}

export interface PersonPost {
  /** Channel of the post, which differs from the watch's in incident channels. */
  readonly place: string;
  readonly author: PersonId;
  /** Server of the channel, whose budget pays too; absent on platforms with only one server. */
  readonly server?: string;
}

export interface PullOutcome {
  readonly conversation: ConversationId;
  readonly what: Became;
  /** Host and path in lower case: `github.com/acme/api`. */
  readonly repo: string;
  /** Number of the pull request; null if the forge does not name it. */
  readonly pull: number | null;
}

export const BECAME = ["checks", "reviewed", "merged"] as const;
export type Became = (typeof BECAME)[number];

export type EventReceipt =
  | { readonly kind: "stored" | "known" }
  /** The watch does not exist or is switched off. */
  | { readonly kind: "off"; readonly why: string }
  /** Too many events are waiting. */
  | { readonly kind: "full" }
  | WriteFailure;

export interface Watcher {
  all(): readonly Watch[];
  /** Resolves when the event is on the disk; the sender must not get a success earlier. */
  take(event: WatchEvent): Promise<EventReceipt>;
  /** Reads the watches again after another host has changed them. */
  renew(): void;
}

export interface WatchSummary extends Watch {
  /** Number of waiting events, and the limit that holds them. */
  readonly waiting: number;
  readonly held: "hour" | "money" | null;
  /** Next instant of a schedule; null for other watches. */
  readonly next: Millis | null;
  /** Daily budget, and the amount spent; null for no limit. */
  readonly budget: MicroUsd | null;
  readonly spent: MicroUsd;
  readonly lately: readonly WatchedEvent[];
}

export interface WatchedEvent {
  readonly conversation: ConversationId;
  readonly title: string;
  readonly count: number;
  readonly last: Millis;
}

export type WatchOrder = ChannelAddress &
  Pick<Watch, "source" | "mode" | "instructions" | "by"> & {
    /** Name of a hook; null for a generated name. */
    readonly name: string | null;
  };

/** Absent fields stay unchanged. */
export interface WatchChange {
  readonly standing?: "on" | "paused";
  readonly perHour?: number;
  /** Per day; null for no limit. */
  readonly budget?: MicroUsd | null;
}

export type WatchAnswer =
  | { readonly kind: "done"; readonly watch: WatchSummary }
  | { readonly kind: "refused"; readonly why: LocalizedText }
  | WriteFailure;

/** The caller checks the person's rights. */
export interface WatchBook {
  all(): readonly WatchSummary[];
  add(order: WatchOrder): Promise<WatchAnswer>;
  change(id: string, change: WatchChange, by: PersonId): Promise<WatchAnswer>;
  remove(id: string): Promise<WatchAnswer>;
  readSchedule(text: string): Promise<ScheduleRead>;
}

export type ScheduleRead =
  | { readonly kind: "schedule"; readonly source: WatchSource & { readonly kind: "schedule" } }
  /** `why`: repeats the understood part, and asks for the rest. */
  | { readonly kind: "unclear"; readonly why: string };

/** A thread that an event started, and that later events with the same fingerprint joined. */
export interface WatchThread {
  readonly conversation: ConversationId;
  readonly place: string;
  readonly message: string;
  readonly event: WatchEvent;
  /** Includes the first event. */
  readonly count: number;
  /** Number of events that the first message shows. */
  readonly told: number;
  readonly began: Millis;
  readonly last: Millis;
}

interface Kept {
  watches(): readonly Watch[];
  putWatch(watch: Watch): Promise<Done>;
  dropWatch(id: string): Promise<Done>;
}

interface Begun {
  /** Null if no thread has the fingerprint. */
  newest(watch: string, fingerprint: string): WatchThread | null;
  thread(conversation: ConversationId): WatchThread | null;
  /** Newest first. */
  lately(watch: string, most: number): readonly WatchThread[];
  /** Oldest first. */
  begunSince(watch: string, since: Millis): readonly Millis[];
  /** Threads whose first message does not show the current number of events. */
  untold(): readonly WatchThread[];
  /** Stores a thread that the event has started, and marks the event as handled, in one transaction. */
  begin(thread: WatchThread, inbox: string): Promise<Done>;
  /** Counts an event that has joined the thread, and marks it as handled, in one transaction and only once. */
  join(conversation: ConversationId, inbox: string, at: Millis): Promise<Done>;
  told(conversation: ConversationId, count: number): Promise<Done>;
  /** Threads of looks since a time whose last line is not posted, oldest first. */
  unended(watch: string, since: Millis): readonly WatchThread[];
  ended(conversation: ConversationId): Promise<Done>;
}

export interface WatchRows extends Kept, Begun {}
