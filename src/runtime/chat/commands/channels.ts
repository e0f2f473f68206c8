/**
 * What a channel has of its own: the work mode that its conversations begin in, and people and roles who may approve
 * there beside those of PARLEY_APPROVERS. Only those of PARLEY_APPROVERS change either, and a channel takes nothing
 * from them: whoever a channel names decides questions in its threads, and may neither name others, nor delete
 * conversations, nor set budgets (D2).
 */

import type { OwnSettings } from "../../../ports/channels.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Asker, ChatDeps } from "../people/deps.ts";
import { NO_SETTINGS } from "../../channels/channel-settings.ts";
import { storageText } from "../people/reply-texts.ts";
import { sayIn } from "../../../i18n/languages.ts";
import type { Label } from "../../../i18n/say.ts";
import type { CommandContext, SlashCall } from "./define-command.ts";
import { approverOf, personId, type Policy } from "../people/rights.ts";

export const settingsAt = ({ store, name }: ChatDeps, place: string): OwnSettings =>
  store.channel(name, place) ?? NO_SETTINGS;

/** What else the channel has stays. Null where it is stored. */
export const keepSettings = async (
  deps: ChatDeps,
  change: Partial<OwnSettings>,
  { place }: Asker,
  person: Person,
): Promise<string | null> => {
  const { store, name, clock, say } = deps;
  const stamp = { by: personId(name, person.id), at: clock.now() };
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

/** Stores a change and says what the channel has then. Null: nothing is to be changed; a sentence: it cannot be. */
export const changeSettings = async (
  { deps, asking, person }: CommandContext,
  change: Partial<OwnSettings> | string | null,
  shown: (deps: ChatDeps, settings: OwnSettings) => Promise<string> | string,
): Promise<string> => {
  if (typeof change === "string") return change;
  const before = settingsAt(deps, asking.place);
  if (change === null) return shown(deps, before);
  const problem = await keepSettings(deps, change, asking, person);
  if (problem !== null) return problem;
  const after = { ...before, ...change };
  // Everything said from now on is in the new language.
  const told =
    after.language === before.language ? deps : { ...deps, say: sayIn(deps.languageAt(asking.place)) };
  return shown(told, after);
};

/** Of `/parley` with one of the commands that set them. */
export const orSettings = <Asked>({
  context: { deps },
  asked,
  run,
}: SlashCall<Asked>): Promise<string> | string =>
  asked === undefined ? deps.say("That is not one of {commands}.", { commands: SETTINGS }) : run(asked);

const SETTINGS =
  "`/parley default-mode NAME`, `/parley model NAME`, `/parley language CODE`, `/parley approvers add @person`, `/parley approvers remove @person`";

export const MAY_NOT: Label =
  "Only host approvers (PARLEY_APPROVERS) can change a channel's settings. Ask one of them.";
