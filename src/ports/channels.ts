/** What channels have of their own, declared on the caller's floor. */

import type { Millis, PersonId } from "../machine/id.ts";
import type { Done } from "./host.ts";
import type { Language } from "../i18n/say.ts";

/** What a channel has of its own, beside its repository and budget. */
export interface ChannelOverrides {
  /** Key of the work mode that its conversations begin in; null: the usual one. */
  readonly mode: string | null;
  /** That answers in its new conversations; null: the usual one. */
  readonly model: string | null;
  /** Who may approve there beside those of PARLEY_APPROVERS: `U…`, `group:S…`, a number, `role:…`. */
  readonly approvers: readonly string[];
  /** Names of the MCP servers that its conversations may use. */
  readonly servers: readonly string[];
  /** What its conversations know beside the checkout: `issues`, the address of a site. */
  readonly knowledge: readonly string[];
  /** That the host speaks there; null: the platform's for the place, else the usual one. */
  readonly language: Language | null;
  /** The channel in which somebody looks at its answers before they are posted; null: they are posted as they come. */
  readonly review: string | null;
}

export interface ChannelSettings extends ChannelOverrides {
  readonly by: PersonId;
  readonly at: Millis;
}

/** The rows of channels, among those of chat surfaces. */
export interface ChannelRows {
  /** Null where nobody has set anything. */
  channel(surface: string, place: string): ChannelSettings | null;
  setChannel(surface: string, place: string, settings: ChannelSettings): Promise<Done>;
  /** Those that have a repository, settings, instructions or a budget of their own. */
  channels(): readonly ChannelAddress[];
}

export type ChannelName =
  /** `name` as people of the platform write it: `#general`, `@alice`. `note`: what tells it from others, or that it is closed. */
  | { readonly kind: "named"; readonly name: string; readonly note: string | null }
  /** The platform says that there is none, or none that Parley may see. `why` is a sentence for people. */
  | { readonly kind: "gone"; readonly why: string }
  /** The platform did not say. */
  | { readonly kind: "unread"; readonly why: string };

/** One platform's. Never rejects. */
export type ReadName = (place: string) => Promise<ChannelName>;

/** Name of the connection, and the platform's id of the channel. */
export interface ChannelAddress {
  readonly surface: string;
  readonly place: string;
}

export interface CalledChannel extends ChannelAddress {
  readonly called: ChannelName | null;
}

/** What people who may approve want of every conversation in a channel, in their words. */
export interface Instructions {
  readonly text: string;
  readonly by: PersonId;
  readonly at: Millis;
}

/** Bytes that a channel may say. */
export const MAX_INSTRUCTIONS = 4 * 1024;

export interface Guidance {
  /** In the repository. */
  readonly path: string;
  /** Whole lines, as many as are told. */
  readonly text: string;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly isCut: boolean;
}
