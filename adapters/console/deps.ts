/** What the console needs of the world. */

import type { Looks } from "../../src/thread/call-text.ts";
import type { Speaker } from "../../src/machine/words.ts";
import type { FeedbackRows } from "../../src/ports/feedback.ts";
import type { Away } from "../../src/ports/alerts.ts";
import type { Bot } from "../../src/ports/bot.ts";
import type { ChannelBook, ChannelNames } from "../../src/ports/channels.ts";
import type { Beside } from "../../src/ports/beside.ts";
import type { ConsoleBoard, ConsoleRequest } from "../../src/ports/console.ts";
import type { Repo } from "../../src/ports/conversation.ts";
import type { HostStatus } from "../../src/ports/figures.ts";
import type { Log, RandomId } from "../../src/ports/host.ts";
import type { ModelNames } from "../../src/ports/model.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { BudgetBook } from "../../src/ports/money.ts";
import type { TakePicture } from "../../src/ports/pictures.ts";
import type { Blobs, Searching } from "../../src/ports/store.ts";
import type { Modes } from "../../src/ports/tools.ts";
import type { Language } from "../../src/i18n/say.ts";
import type { About } from "./render/api-types.ts";

export interface ConsoleDeps {
  readonly bot: Bot;
  readonly budgets: BudgetBook;
  readonly channels: ChannelBook;
  readonly channelNames: ChannelNames;
  /** Of features. */
  readonly requests: readonly ConsoleRequest[];
  readonly boards: readonly OwnedBoard[];
  readonly feedback: FeedbackRows;
  readonly blobs: Blobs;
  readonly takePicture: TakePicture;
  readonly log: Log;
  readonly randomId: RandomId;
  /** The only key to the API (D4). */
  readonly token: string;
  /** The person behind the token, with the rights that configuration gives (D1, D2). */
  readonly operator: Speaker;
  readonly version: string;
  /** PARLEY_LANGUAGE, for browsers that want none of those that the host speaks. */
  readonly language: Language;
  readonly model: About["model"];
  readonly modes: Modes;
  readonly toolLooks: Looks;
  readonly models: ModelNames;
  readonly sandbox: About["sandbox"] & SandboxNote;
  /** Repository of conversations that name none; null when there is none. */
  readonly defaultRepo: Repo | null;
  /** Host names, beside loopback, under which a declared proxy serves the console. Without ports. */
  readonly hosts: readonly string[];
  /** PARLEY_PUBLIC_URL; null if it is not set. */
  readonly publicUrl: string | null;
  /** Addresses and networks of the proxies whose X-Forwarded-For is believed (PARLEY_PROXY_ADDRESSES). */
  readonly proxies: readonly string[];
  /** They answer requests of their own paths behind the same door; each request brings a token of theirs. */
  readonly besides: readonly Beside[];
  readonly health: () => Health;
  /** Of surfaces that configuration leaves off: what is missing, for the status page. */
  readonly whyOff: Readonly<Record<string, string | null>>;
  readonly host: () => Promise<HostStatus>;
  readonly search: Searching;
  readonly observer: Pick<Observer, "answered" | "streaming">;
}

export interface OwnedBoard extends ConsoleBoard {
  readonly feature: string;
}

interface SandboxNote {
  /** What network egress means here (`Probe.egress`): proxy, shared or none. */
  readonly network: string;
  /** Leaks that remain at this tier, each one sentence. */
  readonly residual: readonly string[];
  /** What Unrestricted lets tools do on this host, as an approver must know it: one or two sentences. */
  readonly covers: string;
}

export interface Health {
  readonly status: "starting" | "ok" | "draining";
  readonly surfaces: Readonly<Record<string, string>>;
  /** Platforms that are wanted and have no connection. */
  readonly away: readonly Away[];
}
