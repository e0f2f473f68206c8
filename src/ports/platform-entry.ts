/** A chat platform as composition, doctor and `parley manifest` see it, before any code of its SDK is loaded. */

import type { HostNotes } from "./alerts.ts";
import type { Approver } from "./chat-platform.ts";
import type { ChatStore } from "./chat-rows.ts";
import type { ChatAdapter, ReceivePayload } from "./connection.ts";
import type { Finding } from "./finding.ts";
import type { Clock, Log } from "./host.ts";
import type { Store } from "./store.ts";
import type { Ledger, Limits } from "./surface.ts";
import type { Label } from "../i18n/say.ts";

export interface PlatformFacts {
  /** First part of ids of its people and channels, as in `NAME:ID`; its guide is `docs/NAME.md`. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Host of its API, for the check of an outgoing proxy. */
  readonly apiHost: string;
  /** The setting that switches the platform on. */
  readonly token: string;
  /** Entries by which PARLEY_APPROVERS names its people. */
  readonly approverForms: string;
  readonly forms: PlatformForms;
  readonly ids: PlatformIds;
  readonly manifest: PlatformManifest;
}

/** How settings and files of the operator write ids of the platform, after `NAME:`. */
export interface PlatformIds {
  /** Of a person or a group in PARLEY_APPROVERS. */
  readonly approver: RegExp;
  /** One of these, for the sentence about a wrong one. */
  readonly approverExample: string;
  /** Of an owner in the table of PARLEY_CODEOWNERS. */
  readonly owner: RegExp;
  /** Each form of an owner: a prefix, and a sign for the id. */
  readonly ownerForms: readonly (readonly [prefix: string, id: string])[];
  readonly channel: RegExp;
}

/** Settings of the core that matter to a platform. */
export interface HostVariables {
  readonly PARLEY_HOST: string;
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
}

/** How people write ids of the platform, and words of the host that it alone needs. */
export interface PlatformForms {
  /** People and groups as people write or mention them, each with the prefix of the id in a channel's list. */
  readonly approvers: readonly (readonly [form: RegExp, prefix: string])[];
  /** A channel as people write, mention or link it. */
  readonly channel: RegExp;
  /** Ids of approvers, for sentences. */
  readonly examples: string;
  /** Stands before ids of groups in PARLEY_APPROVERS and PARLEY_CODEOWNERS. */
  readonly group: "group" | "role";
  readonly admins: Label;
  /** The platform's word for a place with channels. */
  readonly server: "workspace" | "server";
  /** What happens to a thread's name if its conversation gets another one; null if threads have nothing of the kind. */
  readonly threadName: Label | null;
  /** How to name a channel, for people whose words name none; null: they are only told so. */
  readonly noChannel: Label | null;
}

export type PlatformState =
  /** No setting asks for the platform. `why` names the one that would. */
  | { readonly kind: "unset"; readonly why: string }
  /** A setting is missing beside those that are set. `why` names it. */
  | ({ readonly kind: "incomplete"; readonly why: string } & Checkable)
  | ({
      readonly kind: "ready";
      /** Loads its code, so that `open` takes no time. */
      readonly load: () => Promise<unknown>;
      readonly open: (ports: PlatformPorts) => Promise<ChatAdapter>;
    } & Checkable);

interface Checkable {
  /** The port on which the platform reaches this host; null if it needs none. */
  readonly port: { readonly what: string; readonly port: number; readonly setting: string } | null;
  /** Doctor's findings about tokens, rights and the ids of settings. */
  readonly findings: (shared: SharedChecks) => AsyncIterable<Finding>;
}

/** Ports of this host from which an adapter takes those that it needs. */
export interface PlatformPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly approvers: readonly Approver[];
  readonly store: Pick<Store, "load" | "claims">;
  readonly ledger: Ledger;
  readonly chat: Pick<ChatStore, "lastArrival">;
  readonly notes: HostNotes;
  /** No other host has connections of the same app. */
  readonly isAlone: boolean;
  /** The same, done by the host that leads. */
  readonly taking: (own: ReceivePayload) => ReceivePayload;
  /** Limits that differ from the platform's published ones. */
  readonly limits?: Partial<Limits>;
}

/** Checks of the settings that have the same meaning on every platform. */
export interface SharedChecks {
  /** Channels of the platform that settings of features name, to tell something there. */
  readonly told: readonly { readonly setting: string; readonly place: string }[];
  /** Channels that `/parley review` names. */
  readonly reviewChannels: readonly string[];
  /** Each channel and person that settings name. `remedy`: an imperative for a channel that the bot cannot use. */
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

/** One sentence about an id, and whether the id serves its purpose. */
export interface PlaceCheck {
  readonly usable: boolean;
  readonly found: string;
  /** Why a question notifies none of them, with the remedy. */
  readonly unnotified?: { readonly why: string; readonly remedy: string };
}

/** Ids of channels in one setting, and the purpose that they serve. */
export type NamedChannels<Purpose> = readonly [
  setting: string,
  ids: readonly (string | undefined)[],
  purpose: Purpose,
];

/** `parley manifest NAME`: the text to paste, or the steps to take, for an app on the platform. */
export interface PlatformManifest {
  /** Its line of `parley help`: arguments after the name, and the meaning. */
  readonly help: readonly [options: string, meaning: string];
  /** Each way to call it, for its usage. */
  readonly usage: readonly (readonly [options: string, meaning: string])[];
  /** Null for options that it does not take. `setting`: a setting as it is written; null if unset. */
  readonly text: (
    options: readonly string[],
    setting: (name: string) => string | null,
  ) => Promise<string | null>;
}
