/** Whose money a request is: one person's, a channel's, a server's and the host's. Pure. */

import {
  type Account,
  channelScope,
  type ChargedScope,
  type MicroUsd,
  personScope,
  type Scope,
  serverScope,
} from "../../ports/money.ts";

/** Dollars a day where nobody set another budget, in millionths; null: no bound. */
export interface Defaults {
  /** Somebody who may not have the agent write. */
  readonly stranger: MicroUsd | null;
  /** Everybody else. */
  readonly person: MicroUsd | null;
  readonly channel: MicroUsd | null;
  /** A server or workspace, and the console. */
  readonly server: MicroUsd | null;
  /** The whole host. */
  readonly day: MicroUsd | null;
}

/** The narrowest first: its end is the one that people can do most about. */
export const chargedTo = (
  { speaker, surface, place, server }: Pick<Account, "speaker" | "surface" | "place" | "server">,
  usual: Defaults,
): readonly ChargedScope[] => [
  ...(speaker === null
    ? []
    : [{ scope: personScope(speaker.id), usual: speaker.mayDrive ? usual.person : usual.stranger }]),
  ...(place === null ? [] : [{ scope: channelScope(surface, place), usual: usual.channel }]),
  { scope: serverScope(surface, server), usual: usual.server },
  { scope: "day", usual: usual.day },
];

type ScopeKind = "person" | "channel" | "server" | "day";

export const kindOf = (scope: Scope): ScopeKind => {
  if (scope.startsWith("person:")) return "person";
  if (scope.startsWith("channel:")) return "channel";
  return scope.startsWith("server:") ? "server" : "day";
};
