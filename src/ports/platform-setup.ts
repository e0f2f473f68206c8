/** How `parley setup` connects a platform: its questions, and checks against the real service. No member throws for bad input. */

import type { Finding } from "./finding.ts";

/** Asks the person in the terminal, or takes the answers from flags and the environment. Rejects if an answer is missing. */
export interface SetupAsker {
  /** Whether a person can answer a second time. */
  readonly isInteractive: boolean;
  ask<T>(question: SetupQuestion<T>): Promise<T>;
  print(line: string): void;
  /** Polls until `look` returns a value. Null if the person interrupts or, without a terminal, after `within` ms. */
  wait<T>(text: string, within: number, look: () => Promise<T | null>): Promise<T | null>;
}

export interface SetupQuestion<T> {
  /** Setting or answer: flag `--bot-token` and variable for `SLACK_BOT_TOKEN`. */
  readonly name: string;
  readonly text: string;
  /** Whether the terminal hides the answer. */
  readonly secret?: boolean;
  readonly fallback?: string;
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
  /** Checks an answer. A refusal is printed and asked again, or ends the command without a terminal. */
  readonly check: (answer: string) => Promise<CheckedInput<T>>;
}

export type CheckedInput<T> =
  | { readonly kind: "valid"; readonly value: T; readonly note?: string }
  | { readonly kind: "refused"; readonly why: string };

export interface SetupContext {
  readonly asker: SetupAsker;
  /** A setting in force, from `.env` or the environment; null if unset. */
  readonly setting: (name: string) => string | null;
  /** Stores data that is no setting, readable by Parley's user alone; null removes the file. False if it could not be stored. */
  readonly keep: (file: string, text: string | null) => Promise<boolean>;
  readonly kept: (file: string) => string | null;
  /** `update`: change an existing app instead of connecting one. `yes`: ask nothing. */
  readonly options: { readonly update: boolean; readonly yes: boolean };
  /** Longest wait for one request and for the bot to appear in a server, in ms. */
  readonly limits: { readonly request: number; readonly server: number };
}

export interface PlatformSetupResult {
  /** Lines for `.env`, in order. Written after all steps. */
  readonly settings: Readonly<Record<string, string>>;
  /** Default of PARLEY_APPROVERS. */
  readonly approvers: string;
  /**
   * Waits until the bot is in a server with every permission it needs, and lists the channels it can answer in. Called after
   * model and repository, so that the person can accept the invitation meanwhile. Empty if the platform binds channels by
   * itself. A string says why there is none.
   */
  readonly channels: () => Promise<readonly SetupChannel[] | string>;
  /** Where to put the first question, as a sentence. */
  readonly firstQuestion: string;
  /** Warnings to repeat at the end. */
  readonly findings: readonly Finding[];
}

export interface SetupChannel {
  readonly id: string;
  readonly name: string;
  readonly server: string;
}

/** `stopped`: nothing is written, and `why` says what to do next. `done`: an update that changes no setting. */
export type PlatformSetup = (
  context: SetupContext,
) => Promise<
  | { readonly kind: "ready"; readonly result: PlatformSetupResult }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "stopped"; readonly why: string }
>;
