/** A chat platform as composition, doctor and `parley manifest` use it, before any code of its SDK is loaded. */

import type { HostNotes } from "./alerts.ts";
import type { Approver } from "./chat-platform.ts";
import type { ChatStore } from "./chat-rows.ts";
import type { ChatAdapter, ReceivePayload } from "./connection.ts";
import type { Finding } from "./finding.ts";
import type { Clock, Log } from "./host.ts";
import type { PlatformSetup } from "./platform-setup.ts";
import type { Conceal } from "./sealing.ts";
import type { Store } from "./store.ts";
import type { Ledger, Limits } from "./surface.ts";
import type { Label } from "../i18n/say.ts";

export interface PlatformFacts {
  /** First part of ids of people and channels, as in `NAME:ID`. The platform's guide is `docs/NAME.md`. */
  readonly name: string;
  readonly title: string;
  /** Host of the platform's API, for the check of an outgoing proxy. */
  readonly apiHost: string;
  /** Setting that enables the platform. */
  readonly token: string;
  readonly approverForms: string;
  readonly forms: PlatformForms;
  readonly ids: PlatformIds;
  readonly manifest: PlatformManifest;
  /** Forms of pasted tokens that name this platform. */
  readonly tokens: RegExp;
  /** Loads the platform's part of `parley setup`. */
  readonly setup: () => Promise<PlatformSetup>;
}

export interface PlatformIds {
  readonly approver: RegExp;
  readonly approverExample: string;
  readonly owner: RegExp;
  readonly ownerForms: readonly (readonly [prefix: string, id: string])[];
  readonly channel: RegExp;
}

export interface HostVariables {
  readonly PARLEY_HOST: string;
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
}

export interface PlatformForms {
  /** Forms in which people write or mention people and groups, each with the prefix of the id in a channel's list. */
  readonly approvers: readonly (readonly [form: RegExp, prefix: string])[];
  readonly channel: RegExp;
  readonly examples: string;
  /** Prefix of group ids in PARLEY_APPROVERS and PARLEY_CODEOWNERS. */
  readonly group: "group" | "role";
  readonly admins: Label;
  readonly server: "workspace" | "server";
  /** Effect of a new conversation title on the thread's name; null if threads have no name. */
  readonly threadName: Label | null;
  /** Advice on how to name a channel, for people whose text names none; null if there is no advice. */
  readonly noChannel: Label | null;
}

export type PlatformState =
  /** `why` names the setting that would enable the platform. */
  | { readonly kind: "unset"; readonly why: string }
  /** `why` names the missing setting. */
  | ({ readonly kind: "incomplete"; readonly why: string } & Checkable)
  | ({
      readonly kind: "ready";
      /** Loads its code, so that `open` takes no time. */
      readonly load: () => Promise<unknown>;
      readonly open: (ports: PlatformPorts) => Promise<ChatAdapter>;
    } & Checkable);

interface Checkable {
  /** Port on which the platform reaches this host; null if it needs none. */
  readonly port: { readonly what: string; readonly port: number; readonly setting: string } | null;
  readonly findings: (shared: SharedChecks) => AsyncIterable<Finding>;
}

export interface PlatformPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly approvers: readonly Approver[];
  readonly store: Pick<Store, "load" | "claims">;
  readonly ledger: Ledger;
  readonly chat: Pick<ChatStore, "lastArrival">;
  readonly notes: HostNotes;
  /** Whether no other host has connections of the same app. */
  readonly isAlone: boolean;
  /** Wraps the receiver so that the leader handles the events. */
  readonly taking: (own: ReceivePayload) => ReceivePayload;
  /** For forms with `isSecret`, whose text is stored nowhere. */
  readonly conceal: Conceal;
  /** Limits that differ from the platform's published ones. */
  readonly limits?: Partial<Limits>;
}

export interface SharedChecks {
  readonly told: readonly { readonly setting: string; readonly place: string }[];
  readonly reviewChannels: readonly string[];
  /** Checks each channel and person that settings name. `remedy`: an imperative for a channel that the bot cannot use. */
  readonly places: <Purpose>(
    checks: PlaceChecks<Purpose>,
    channels: readonly NamedChannels<Purpose>[],
    remedy: string,
  ) => AsyncIterable<Finding>;
}

export interface PlaceChecks<Purpose> {
  channel(id: string, purpose: Purpose): Promise<PlaceCheck>;
  approver(approver: Extract<Approver, { readonly id: string }>): Promise<PlaceCheck>;
}

/** `found`: one sentence about the id. */
export interface PlaceCheck {
  readonly usable: boolean;
  readonly found: string;
  readonly unnotified?: { readonly why: string; readonly remedy: string };
}

export type NamedChannels<Purpose> = readonly [
  setting: string,
  ids: readonly (string | undefined)[],
  purpose: Purpose,
];

/** `parley manifest NAME`: the text to paste, or the steps to take, for an app on the platform. */
export interface PlatformManifest {
  readonly help: readonly [options: string, meaning: string];
  readonly usage: readonly (readonly [options: string, meaning: string])[];
  /** Null for unknown options. `setting`: returns an unparsed setting; null if unset. */
  readonly text: (
    options: readonly string[],
    setting: (name: string) => string | null,
  ) => Promise<string | null>;
}
