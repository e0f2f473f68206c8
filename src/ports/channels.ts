import type { Millis, PersonId } from "../machine/id.ts";
import type { Done } from "./host.ts";
import type { Language } from "../i18n/say.ts";

export interface ChannelOverrides {
  /** Key of the work mode for new conversations; null for the default. */
  readonly mode: string | null;
  readonly model: string | null;
  /** Approvers of the channel in addition to PARLEY_APPROVERS: `U…`, `group:S…`, a number, `role:…`. */
  readonly approvers: readonly string[];
  readonly servers: readonly string[];
  /** Sources besides the checkout: `issues`, the address of a site. */
  readonly knowledge: readonly string[];
  /** Language of the host in this channel; null for the platform's setting, otherwise the default. */
  readonly language: Language | null;
  /** Channel in which answers are reviewed before they are posted; null if answers are posted at once. */
  readonly review: string | null;
  /** Whether only messages with a mention are input in the channel's threads; null if this was never chosen. */
  readonly quiet: boolean | null;
  /** Whether pages that people link to are read. */
  readonly links: boolean;
}

export interface ChannelSettings extends ChannelOverrides {
  readonly by: PersonId;
  readonly at: Millis;
}

export interface ChannelRows {
  channel(surface: string, place: string): ChannelSettings | null;
  setChannel(surface: string, place: string, settings: ChannelSettings): Promise<Done>;
  /** Returns the channels with their own repository, settings, instructions or budget. */
  channels(): readonly ChannelAddress[];
}

export type ChannelName =
  /** `name`: as in `#general` or `@alice`. `note`: distinguishes equal names, or says that the channel is closed. */
  | { readonly kind: "named"; readonly name: string; readonly note: string | null }
  /** The platform reports that there is no such channel, or none that Parley can see. `why`: a sentence for people. */
  | { readonly kind: "gone"; readonly why: string }
  | { readonly kind: "unread"; readonly why: string };

/** Never rejects. */
export type ReadName = (place: string) => Promise<ChannelName>;

/** `surface`: name of the connection. `place`: the platform's id of the channel. */
export interface ChannelAddress {
  readonly surface: string;
  readonly place: string;
}

export interface CalledChannel extends ChannelAddress {
  readonly called: ChannelName | null;
}

export interface Instructions {
  readonly text: string;
  readonly by: PersonId;
  readonly at: Millis;
}

/** In bytes. */
export const MAX_INSTRUCTIONS = 4 * 1024;

export interface Guidance {
  readonly path: string;
  /** Set if the text lists the files of a folder, with the occasions for which each is meant. */
  readonly isList?: true;
  /** Complete lines, as many as the prompt contains. */
  readonly text: string;
  /** Size of the complete file in bytes. */
  readonly size: number;
  readonly isCut: boolean;
}
