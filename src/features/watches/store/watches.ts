/** What begins threads by itself in a channel, what it heard, and their rows. No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../../../machine/id.ts";
import type { ChannelAddress } from "../../../ports/channels.ts";
import type { Done, WriteFailure } from "../../../ports/host.ts";
import type { MicroUsd } from "../../../ports/money.ts";
import type { LocalizedText } from "../../../i18n/say.ts";

/** Where the events of a watch come from. */
export type WatchSource =
  /** `cron` and `zone` say when, `spoken` the same for people. `last`: the last instant that was looked at. */
  | {
      readonly kind: "schedule";
      readonly cron: string;
      readonly zone: string;
      readonly spoken: string;
      readonly text: string;
      readonly last: Millis;
    }
  /** `POST /hooks/ID`. What of its JSON is the title, the text and the fingerprint, as templates; null: what is usual. */
  | {
      readonly kind: "hook";
      readonly title: string | null;
      readonly text: string | null;
      readonly key: string | null;
    }
  /** What an app posts at the top of the channel, by an id that the platform has for it. */
  | { readonly kind: "posts"; readonly app: string }
  /** Webhooks of the forge that the channel's repository is on, all to `POST /hooks/FORGE`. */
  | ForgeSource;

export interface ForgeSource {
  readonly kind: "forge";
  readonly forge: Forge;
  readonly hears: readonly ForgeEventKind[];
  /** Issues count once they have it; null: as they are opened. */
  readonly label: string | null;
  /** What a comment mentions, without `@`. */
  readonly called: string;
}

export const FORGES = ["github", "gitlab"] as const;
export type Forge = (typeof FORGES)[number];

/** What of a forge begins threads; `follow`: what becomes of pull requests that Parley opened is looked into in their threads. */
export const FORGE_EVENT_KINDS = ["issues", "pulls", "reviews", "checks", "mentions", "follow"] as const;
export type ForgeEventKind = (typeof FORGE_EVENT_KINDS)[number];

/** Switched on for a channel by somebody who may manage it. */
export interface Watch extends ChannelAddress {
  /** What people call it; of a hook, its address. */
  readonly id: string;
  readonly source: WatchSource;
  /** Key of the work mode that its threads begin in; null: the channel's. */
  readonly mode: string | null;
  /** What is done with an event, in the words of whoever switched it on; null: it is triaged. */
  readonly instructions: string | null;
  /** Threads that it begins within an hour. */
  readonly perHour: number;
  readonly standing: WatchState;
  /** In a row. */
  readonly failures: number;
  readonly by: PersonId;
  readonly at: Millis;
}

export type WatchState =
  | { readonly kind: "on" }
  | { readonly kind: "paused"; readonly by: PersonId }
  /** It failed too often. `why` is a sentence. */
  | { readonly kind: "off"; readonly why: string };

/** Something that happened, as it is stored before whoever tells it is answered. */
export interface WatchEvent {
  /** Of the watch. */
  readonly watch: string;
  /** The source's own id of it: the same one sent again is the same event. */
  readonly delivery: string;
  /** Events that share it are one matter. */
  readonly fingerprint: string;
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
  /** When it happened, as its source says. */
  readonly at: Millis;
  /** The message that it is, where an app posted it: its thread hangs on it. */
  readonly post?: string;
  /** Where it is told in the thread that is there. */
  readonly follows?: PullOutcome;
}

/** What became of a pull request that a conversation opened. */
export interface PullOutcome {
  readonly conversation: ConversationId;
  readonly what: Became;
  /** Host and path in lower case: `github.com/acme/api`. */
  readonly repo: string;
  /** Its number there; null where the forge does not say. */
  readonly pull: number | null;
}

export const BECAME = ["checks", "reviewed", "merged"] as const;
export type Became = (typeof BECAME)[number];

export type EventReceipt =
  | { readonly kind: "stored" | "known" }
  /** There is no such watch, or it hears nothing now. */
  | { readonly kind: "off"; readonly why: string }
  /** So much waits already that nothing more is taken for now. */
  | { readonly kind: "full" }
  | WriteFailure;

/** Where events are handed over. */
export interface Watcher {
  /** Of every channel, as they are now. */
  all(): readonly Watch[];
  /** Settles when the event is on the disk: acknowledge after it. */
  take(event: WatchEvent): Promise<EventReceipt>;
  /** Watches were changed beside it. */
  renew(): void;
}

/** A watch as it is shown. */
export interface WatchSummary extends Watch {
  /** Events that wait, and why where a bound holds them. */
  readonly waiting: number;
  readonly held: "hour" | "money" | null;
  /** When a schedule comes next; null of what has none. */
  readonly next: Millis | null;
  /** A day, and what of it is spent; null: no bound. */
  readonly budget: MicroUsd | null;
  readonly spent: MicroUsd;
  /** Threads that it began, the newest first, a few. */
  readonly lately: readonly WatchedEvent[];
}

export interface WatchedEvent {
  readonly conversation: ConversationId;
  readonly title: string;
  /** Events, and when the last one came. */
  readonly count: number;
  readonly last: Millis;
}

export type WatchOrder = ChannelAddress &
  Pick<Watch, "source" | "mode" | "instructions" | "by"> & {
    /** Of a hook; null: one is made. */
    readonly name: string | null;
  };

/** What is absent stays as it is. */
export interface WatchChange {
  readonly standing?: "on" | "paused";
  readonly perHour?: number;
  /** A day; null: no bound. */
  readonly budget?: MicroUsd | null;
}

export type WatchAnswer =
  | { readonly kind: "done"; readonly watch: WatchSummary }
  /** `why` is a sentence for the person. */
  | { readonly kind: "refused"; readonly why: LocalizedText }
  | WriteFailure;

/** Watches as people see and change them. Whether somebody may is asked before. */
export interface WatchBook {
  all(): readonly WatchSummary[];
  add(order: WatchOrder): Promise<WatchAnswer>;
  change(id: string, change: WatchChange, by: PersonId): Promise<WatchAnswer>;
  remove(id: string): Promise<WatchAnswer>;
  /** Reads when a schedule comes, as somebody wrote it. */
  readSchedule(text: string): Promise<ScheduleRead>;
}

export type ScheduleRead =
  | { readonly kind: "schedule"; readonly source: WatchSource & { readonly kind: "schedule" } }
  /** `why` says how it was understood, and asks. */
  | { readonly kind: "unclear"; readonly why: string };

/** A thread that an event began, and those of the same fingerprint joined. */
export interface WatchThread {
  readonly conversation: ConversationId;
  readonly place: string;
  /** The platform's id of its first message. */
  readonly message: string;
  readonly event: WatchEvent;
  /** Events, the first one included. */
  readonly count: number;
  /** Of these, how many its first message says. */
  readonly told: number;
  readonly began: Millis;
  readonly last: Millis;
}

interface Kept {
  watches(): readonly Watch[];
  /** Inserts or replaces. */
  putWatch(watch: Watch): Promise<Done>;
  dropWatch(id: string): Promise<Done>;
}

interface Begun {
  /** The newest of that fingerprint; null where there is none. */
  newest(watch: string, fingerprint: string): WatchThread | null;
  /** Those that the watch began last, the newest first. */
  lately(watch: string, most: number): readonly WatchThread[];
  /** When each began that the watch has begun since, oldest first. */
  begunSince(watch: string, since: Millis): readonly Millis[];
  /** Those whose first message does not say yet how many there are. */
  untold(): readonly WatchThread[];
  /** The event has begun a thread: it is handled, in the same transaction. */
  begin(thread: WatchThread, inbox: string): Promise<Done>;
  /** The event has joined it: it is counted and handled in one transaction, once. */
  join(conversation: ConversationId, inbox: string, at: Millis): Promise<Done>;
  told(conversation: ConversationId, count: number): Promise<Done>;
}

export interface WatchRows extends Kept, Begun {}
