/**
 * What a channel has of its own: the work mode that its conversations begin in, and people and roles who may approve
 * there beside those of PARLEY_APPROVERS. Only those of PARLEY_APPROVERS change either, and a channel takes nothing
 * from them: whoever a channel names decides questions in its threads, and may neither name others, nor delete
 * conversations, nor set budgets (D2).
 */

import type { ChannelSettings } from "../../../ports/channels.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Spot } from "../../../ports/chat.ts";
import type { ChatDeps } from "../deps.ts";
import { modelsText, modesText, storageText } from "../reply-texts.ts";
import type { Command } from "./command.ts";
import { approverOf, personId, type Policy, rightsOf } from "./rights.ts";

export const NO_SETTINGS: Own = {
  mode: null,
  model: null,
  approvers: [],
  servers: [],
  knowledge: [],
  review: null,
};

type Own = Omit<ChannelSettings, "by" | "at">;

/** As many as a channel names. */
export const MOST_APPROVERS = 50;

export const policyAt = (
  { policy, store, name }: Pick<ChatDeps, "policy" | "store" | "name">,
  place: string,
): Policy => {
  const own = store.channel(name, place)?.approvers ?? [];
  return own.length === 0 ? policy : { ...policy, also: own.map(approverOf) };
};

/** Somebody as a channel's list keeps them: `U024BE7LH`, `group:S…`, a number, `role:…`; null for nobody of the surface. */
export const approverIn = (surface: string, typed: string): string | null => {
  const found = FORMS.get(surface)?.flatMap(([form, prefix]) => {
    const id = form.exec(typed.trim())?.[1];
    return id === undefined ? [] : `${prefix}${id}`;
  });
  return found?.[0] ?? null;
};

const FORMS: ReadonlyMap<string, readonly (readonly [RegExp, string])[]> = new Map(
  Object.entries({
    slack: [
      [/^(?:<@|@)?([UW][A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, ""],
      [/^(?:<!subteam\^|group:)(S[A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, "group:"],
    ],
    discord: [
      [/^(?:<@!?|@)?(\d{15,25})>?$/, ""],
      [/^(?:<@&|role:)(\d{15,25})>?$/, "role:"],
    ],
  }),
);

type Setting = Extract<Command, { readonly kind: "defaultMode" | "model" | "approvers" }>;

/** `default-mode`, `model` and `approvers`, as somebody asks for them in a place. */
export const channel = async (
  deps: ChatDeps,
  command: Setting,
  { place }: Spot,
  person: Person,
): Promise<string> => {
  const { name, store } = deps;
  const before = store.channel(name, place) ?? NO_SETTINGS;
  const changed = changedBy(deps, command, before);
  if (changed === before) return shown(deps, command.kind, before);
  if (!rightsOf(deps.policy, person).mayManage) return MAY_NOT;
  if (typeof changed === "string") return changed;
  const by = personId(name, person.id);
  const done = await store.setChannel(name, place, { ...changed, by, at: deps.clock.now() });
  return done.kind === "failed" ? storageText(done.message) : shown(deps, command.kind, changed);
};

/** The same settings where nothing is asked to be changed; a sentence where it cannot be. */
const changedBy = ({ name, modes, models }: ChatDeps, command: Setting, before: Own): Own | string => {
  const { approvers } = before;
  if (command.kind === "model") {
    if (command.model === null) return before;
    if (command.model.toLowerCase() === "none") return { ...before, model: null };
    return models.knows(command.model)
      ? { ...before, model: command.model }
      : modelsText(models, command.model);
  }
  if (command.kind === "defaultMode") {
    if (command.mode === null) return before;
    if (command.mode === "none") return { ...before, mode: null };
    const isKnown = modes.some(({ key }) => key === command.mode);
    return isKnown ? { ...before, mode: command.mode } : modesText(modes, command.mode);
  }
  if (command.change === null) return before;
  const who = approverIn(name, command.change.who);
  if (who === null) return NOBODY;
  const others = approvers.filter((one) => one !== who);
  if (!command.change.add) return { ...before, approvers: others };
  return others.length < MOST_APPROVERS ? { ...before, approvers: [...others, who] } : FULL;
};

const shown = async (
  { platform, modes, models }: ChatDeps,
  kind: Setting["kind"],
  { mode, model, approvers }: Own,
): Promise<string> => {
  if (kind === "model") {
    const answers =
      model === null
        ? `Conversations of this channel begin with the usual model, \`${models.first ?? models.all[0]}\`.`
        : `Conversations of this channel begin with the model \`${model}\`.`;
    return `${answers} ${modelsText(models, null)}`;
  }
  if (kind === "defaultMode") {
    const usual = modes[0] === undefined ? "" : " Set one: `default-mode NAME`, or `none`.";
    return mode === null
      ? `Conversations of this channel begin in the usual work mode.${usual}`
      : `Conversations of this channel begin in the work mode \`${mode}\`.${usual}`;
  }
  const names = await Promise.all(approvers.map((one) => platform.label(one.replace(/^\w+:/, ""))));
  return names.length === 0
    ? "This channel names nobody of its own who may approve. Add somebody: `approvers add @person`."
    : `This channel names, beside those of the host: ${names.join(", ")}. They decide questions in its threads.`;
};

export const MAY_NOT =
  "Only those whom PARLEY_APPROVERS names change what a channel has of its own. Ask one of them.";
const NOBODY = "That names nobody here: `approvers add @person`, or a group or role by its mention.";
const FULL = `A channel names at most ${MOST_APPROVERS}. Use a group or a role.`;
