/** What features add to the requests of a host and to its page, and what the page is made of; declared on the caller's floor. */

import type { PlatformForms } from "./platform-entry.ts";
import type { Label, Language } from "../i18n/say.ts";
import type { FindCallWording } from "../thread/call-text.ts";
import type { MissingPlatform } from "./alerts.ts";
import type { FeedbackRows } from "./feedback.ts";
import type { Bot } from "./bot.ts";
import type { HostStatus } from "./figures.ts";
import type { KnowledgeEntries } from "./knowledge.ts";
import type { BudgetBook } from "./money.ts";
import type { Observer } from "./observer.ts";
import type { Blobs } from "./store.ts";

export interface ConsoleRequest {
  readonly method: "get" | "post" | "patch" | "delete";
  readonly path: `/${string}`;
  /** As the reference says it. */
  readonly does: string;
  /** Completes "You may not …" for an operator who may not approve; null: everybody with the token may. */
  readonly approvers: string | null;
  /** Wrong tokens at its path are counted by this name: guesses there never refuse a client of the rest. Absent: with the console's. */
  readonly counter?: string;
  /** Throws what the console answers with in its place (`refusal`). `part`: of the path, by the name behind its colon. */
  readonly answer: (request: Request, part: (name: string) => string) => Promise<Response>;
}

/** A board of the page, a section of one, or a dialog. Its module is `page/board.ts` of the feature's folder. */
export interface ConsoleBoard {
  /** In the address of a board, `#/NAME`. */
  readonly name: string;
  /** A dialog's says what a press does. */
  readonly title: Label;
  /** Absent: the module exports `board`. `cost`: a dialog that a press of a conversation's cost opens; it exports `open`. */
  readonly from?: "cost";
  /** Name of the board at whose end it is a section; absent: it has an address. */
  readonly on?: "channels";
}

export interface OwnedBoard extends ConsoleBoard {
  readonly feature: string;
}

/** What the page shows of a host, beside what every feature gets. */
export interface ConsoleHost {
  readonly bot: Bot;
  /** The path that the page is below; empty for the root. */
  readonly base: string;
  readonly boards: readonly OwnedBoard[];
  readonly budgets: BudgetBook;
  /** Names of MCP servers that a channel can switch on. */
  readonly servers: readonly string[];
  readonly knowledge: KnowledgeEntries;
  readonly feedback: FeedbackRows;
  readonly blobs: Pick<Blobs, "get">;
  /** PARLEY_LANGUAGE, for browsers that want none of those that the host speaks. */
  readonly language: Language;
  /** `notice`: told where the model is not what a person would expect (the demo model). */
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly toolLooks: FindCallWording;
  /** Null: there is no such chat platform. */
  readonly formsOf: (surface: string) => PlatformForms | null;
  readonly sandbox: ConsoleSandbox;
  readonly health: () => Health;
  /** Of surfaces that configuration leaves off: what is missing, for the status page. */
  readonly whyOff: Readonly<Record<string, string | null>>;
  readonly status: () => Promise<HostStatus>;
  readonly observer: Pick<Observer, "streaming">;
}

export interface ConsoleSandbox {
  readonly tier: string;
  /** Of Landlock, 0 when absent. */
  readonly abi: number;
  /** Why Restricted is not offered, with what the kernel needs (BED-014). */
  readonly notice: string | null;
  /** What network egress means here (`Probe.egress`): proxy, shared or none. */
  readonly network: string;
  /** Leaks that remain at this tier, each one sentence. */
  readonly residual: readonly string[];
}

/** How the host is, for supervisors and balancers. */
export interface Health {
  readonly status: "starting" | "ok" | "draining";
  readonly surfaces: Readonly<Record<string, string>>;
  /** Platforms that are wanted and have no connection. */
  readonly away: readonly MissingPlatform[];
}
