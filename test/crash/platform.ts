/**
 * What the crash matrix needs of a chat platform: a town of people on its wire-level fake, and one process's connection to
 * it. `createSlackTown` (slack.ts) is one; a platform that has a `Town` has the whole matrix: `endEverywhere(town)`,
 * `failEverywhere(town)`, `refuseEverywhere(town)`, `troubledDays(town, seed, days)`.
 */

import type { PersonId } from "../../src/machine/id.ts";
import type { Backlog } from "../../src/ports/chat-rows.ts";
import type { InboundEvent, InboxRow, ChatMessage } from "../../src/ports/chat.ts";
import type { Clock } from "../../src/ports/host.ts";
import type { Ledger, Limits, Renderer, Surface } from "../../src/ports/surface.ts";
import type { Opener } from "../../src/ports/threads.ts";
import type { Play } from "./play.ts";

/** One workspace for many days, each of which has a place of its own. */
export interface Town {
  /** Name of the connection. */
  readonly surface: string;
  /** What is played there on one day. */
  play(): Play;
  /** A place in which nothing has been said yet. */
  place(): Place;
  connect(options: ConnectOptions): Connection;
  /** Every way in which a call can fail, by name. */
  readonly faults: readonly Fault[];
  /** Spoils every call for which `isNext`, asked about each with the name of its method, is true, until told to stop. */
  spoil(fault: string, isNext: (method: string) => boolean): () => void;
  /** What a correct host never does. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

export interface Fault {
  readonly name: string;
  /** The platform has done what was asked, whatever the host is told. */
  readonly applied: boolean;
  /** The platform never answers: the connection is to give up after a short while. */
  readonly stalls: boolean;
}

/** A channel with Alice in it, who drives and approves. */
export interface Place {
  readonly id: string;
  /** Alice as the host knows her. */
  readonly alice: PersonId;
  /** Says it, in the thread or to begin one with the bot, and tells the host nothing. Answers the thread's root. */
  say(text: string, root: string | null): string;
  /** What the platform sends of the last message that Alice wrote in the thread. */
  events(root: string): readonly unknown[];
  /** The button of that kind below the last message of the thread, or, where it goes on elsewhere, the one before. */
  button(root: string, action: Click["action"]): Click | null;
  /** The threads that the host opened here, oldest first. */
  opened(): readonly string[];
  /** As people see it. */
  thread(root: string): string;
  /** With what people clicked. */
  story(root: string): string;
}

export interface Click {
  readonly action: "approve" | "deny" | "choose" | "retry" | "with_summary";
  readonly value: string;
  /** Notes for the story that Alice clicks it; what comes of it is the caller's. */
  press(): void;
}

export interface ConnectOptions {
  /** How long a call that is never answered takes to fail, in real milliseconds. */
  readonly timeout: number;
  /** Unset: the platform's, with so many calls to spend that none waits. */
  readonly limits: Limits | undefined;
  readonly ledger: Pick<Ledger, "find">;
  /** Stands still until nothing else moves, and ends with the process. */
  readonly clock: Clock;
  /** Makes each call by which a thread is opened; the name is the same on every day. */
  readonly around: <T>(name: string, call: () => Promise<T>) => Promise<T>;
}

export interface Connection {
  readonly platform: Surface;
  readonly renderer: Renderer;
  readonly backlog: Backlog;
  readonly opener: Opener;
  /** What becomes an inbox row of something that the platform sent; null where it is nothing for the host. */
  admit(event: unknown): InboundEvent | null;
  /** What somebody said, of such a row. */
  saidOf(row: InboxRow): ChatMessage | null;
}
