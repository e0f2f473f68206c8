/**
 * Only approvers of PARLEY_APPROVERS change these settings, and a channel cannot remove their rights. A channel's own approvers
 * decide questions in its threads. They must not add approvers, delete conversations or set budgets (D2).
 */

import type { ChannelOverrides } from "../../../ports/channels.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { RequestingPerson, ChatDeps } from "../people/deps.ts";
import { NO_SETTINGS } from "../../channels/channel-settings.ts";
import { storageText } from "../people/reply-texts.ts";
import { sayIn } from "../../../i18n/languages.ts";
import type { Label } from "../../../i18n/say.ts";
import type { CommandContext, SlashCall } from "./define-command.ts";
import { approverOf, surfacePersonId, type Policy } from "../people/rights.ts";

export const settingsAt = ({ store, name }: ChatDeps, place: string): ChannelOverrides =>
  store.channel(name, place) ?? NO_SETTINGS;

/** Null after a successful write. */
export const keepSettings = async (
  deps: ChatDeps,
  change: Partial<ChannelOverrides>,
  { place }: RequestingPerson,
  person: Person,
): Promise<string | null> => {
  const { store, name, clock, say } = deps;
  const stamp = { by: surfacePersonId(name, person.id), at: clock.now() };
  const done = await store.setChannel(name, place, { ...settingsAt(deps, place), ...change, ...stamp });
  return done.kind === "failed" ? storageText(done.message, say) : null;
};

export const policyAt = (
  { policy, store, name }: Pick<ChatDeps, "policy" | "store" | "name">,
  place: string,
): Policy => {
  const own = store.channel(name, place)?.approvers ?? [];
  return own.length === 0 ? policy : { ...policy, also: own.map(approverOf) };
};

/** `change`: null for no change, a sentence for an invalid one. */
export const changeSettings = async (
  { deps, asking, person }: CommandContext,
  change: Partial<ChannelOverrides> | string | null,
  shown: (deps: ChatDeps, settings: ChannelOverrides) => Promise<string> | string,
): Promise<string> => {
  if (typeof change === "string") return change;
  const before = settingsAt(deps, asking.place);
  if (change === null) return shown(deps, before);
  const problem = await keepSettings(deps, change, asking, person);
  if (problem !== null) return problem;
  const after = { ...before, ...change };
  // The reply already uses the new language.
  const told =
    after.language === before.language ? deps : { ...deps, say: sayIn(deps.languageAt(asking.place)) };
  return shown(told, after);
};

export const orSettings = <Asked>({
  context: { deps },
  asked,
  run,
}: SlashCall<Asked>): Promise<string> | string =>
  asked === undefined
    ? deps.say("Your choice is not one of {commands}.", { commands: SETTINGS })
    : run(asked);

const SETTINGS =
  "`/parley default-mode NAME`, `/parley model NAME`, `/parley language CODE`, `/parley quiet on`, `/parley quiet off`, `/parley approvers add @person`, `/parley approvers remove @person`";

export const MAY_NOT: Label =
  "Only host approvers (PARLEY_APPROVERS) can change a channel's settings. Ask one of them.";
