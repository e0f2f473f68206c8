import {
  type Account,
  channelScope,
  type ChargedScope,
  type MicroUsd,
  personScope,
  type Scope,
  serverScope,
} from "../../ports/money.ts";

/** Default budgets in millionths of a dollar per day; null for no limit. */
export interface Defaults {
  /** People without write permission. */
  readonly stranger: MicroUsd | null;
  /** People with write permission. */
  readonly person: MicroUsd | null;
  readonly channel: MicroUsd | null;
  /** A server or workspace, or the console. */
  readonly server: MicroUsd | null;
  readonly day: MicroUsd | null;
}

/** Narrowest budget first, because people can act most easily on that budget. */
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
