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
  /** Description for the API reference. */
  readonly does: string;
  /** Completes "You may not …" for an operator without approval rights; null if the token alone is sufficient. */
  readonly approvers: string | null;
  /** Name of a separate count of wrong tokens, so that guesses never lock out clients of other paths. */
  readonly counter?: string;
  /** May throw an error response of the console (`refusal`). `part`: returns the path segment named after a colon. */
  readonly answer: (request: Request, part: (name: string) => string) => Promise<Response>;
}

/** A board, a section of a board, or a dialog. The module of the page is `page/board.ts` in the feature's folder. */
export interface ConsoleBoard {
  readonly name: string;
  /** The title of a dialog says what a click does. */
  readonly title: Label;
  /** `cost`: a dialog that opens from a conversation's cost; its module exports `open`. Other modules export `board`. */
  readonly from?: "cost";
  /** Name of the board that ends with this section; absent for a board with an address. */
  readonly on?: "channels";
}

export interface OwnedBoard extends ConsoleBoard {
  readonly feature: string;
}

export interface ConsoleHost {
  readonly bot: Bot;
  /** Path below which the page is served; empty for the root. */
  readonly base: string;
  readonly boards: readonly OwnedBoard[];
  readonly budgets: BudgetBook;
  readonly servers: readonly string[];
  readonly knowledge: KnowledgeEntries;
  readonly feedback: FeedbackRows;
  readonly blobs: Pick<Blobs, "get" | "put">;
  /** PARLEY_LANGUAGE, for browsers that request no supported language. */
  readonly language: Language;
  /** `notice`: set if the model is not what a person would expect (the demo model). */
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly toolLooks: FindCallWording;
  readonly formsOf: (surface: string) => PlatformForms | null;
  readonly sandbox: ConsoleSandbox;
  readonly health: () => Health;
  readonly whyOff: Readonly<Record<string, string | null>>;
  readonly status: () => Promise<HostStatus>;
  readonly observer: Pick<Observer, "streaming">;
}

export interface ConsoleSandbox {
  readonly tier: string;
  /** Landlock ABI version; 0 if absent. */
  readonly abi: number;
  /** Why Restricted is not offered, with the kernel requirements (BED-014). */
  readonly notice: string | null;
  /** Meaning of network egress on this host (`Probe.egress`): proxy, shared or none. */
  readonly network: string;
  /** Leaks that remain at this tier, each as one sentence. */
  readonly residual: readonly string[];
}

export interface Health {
  readonly status: "starting" | "ok" | "draining";
  readonly surfaces: Readonly<Record<string, string>>;
  readonly away: readonly MissingPlatform[];
}
