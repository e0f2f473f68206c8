/**
 * What a channel has of its own: the work mode that its conversations begin in, and people and roles who may approve
 * there beside those of PARLEY_APPROVERS. Only those of PARLEY_APPROVERS change either, and a channel takes nothing
 * from them: whoever a channel names decides questions in its threads, and may neither name others, nor delete
 * conversations, nor set budgets (D2).
 */

import type { OwnSettings } from "../../../ports/channels.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Answers, Asking, ChatDeps } from "../deps.ts";
import { modelsText, modesText, storageText } from "../reply-texts.ts";
import type { Command } from "./command.ts";
import { sayIn } from "../../../words/languages.ts";
import { type Label, LANGUAGES, type Sentence } from "../../../words/say.ts";
import { approverOf, personId, type Policy, rightsOf } from "./rights.ts";

export const NO_SETTINGS: OwnSettings = {
  mode: null,
  model: null,
  approvers: [],
  servers: [],
  knowledge: [],
  language: null,
  review: null,
};

/** As many as a channel names. */
export const MOST_APPROVERS = 50;

export const settingsAt = ({ store, name }: ChatDeps, place: string): OwnSettings =>
  store.channel(name, place) ?? NO_SETTINGS;

/** What else the channel has stays. Null where it is stored. */
export const keepSettings = async (
  deps: ChatDeps,
  change: Partial<OwnSettings>,
  { place }: Asking,
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
      [/^(?:<!subteam\^|group:|@)(S[A-Z0-9]{2,20})(?:\|[^>]*)?>?$/, "group:"],
    ],
    discord: [
      [/^(?:<@!?|@)?(\d{15,25})>?$/, ""],
      [/^(?:<@&|@&|role:)(\d{15,25})>?$/, "role:"],
    ],
  }),
);

type Setting = Extract<Command, { readonly kind: "defaultMode" | "model" | "approvers" | "language" }>;

/** `default-mode`, `model`, `language` and `approvers`, as somebody asks for them in a place. */
export const channel: Answers<Setting> = async (deps, command, asking, person) => {
  const { place } = asking;
  const before = settingsAt(deps, place);
  const changed = changedBy(deps, command, before);
  if (changed === before) return shown(deps, command.kind, before);
  if (!rightsOf(deps.policy, person).mayManage) return deps.say(MAY_NOT);
  if (typeof changed === "string") return changed;
  const problem = await keepSettings(deps, changed, asking, person);
  if (problem !== null) return problem;
  // What is said from now on is said in it.
  const told = changed.language === before.language ? deps : { ...deps, say: sayIn(deps.languageAt(place)) };
  return shown(told, command.kind, changed);
};

/** The same settings where nothing is asked to be changed; a sentence where it cannot be. */
const changedBy = (
  { name, modes, models, say }: ChatDeps,
  command: Setting,
  before: OwnSettings,
): OwnSettings | string => {
  const { approvers } = before;
  if (command.kind === "model") {
    if (command.model === null) return before;
    if (command.model.toLowerCase() === "none") return { ...before, model: null };
    return models.knows(command.model)
      ? { ...before, model: command.model }
      : modelsText(models, command.model, say);
  }
  if (command.kind === "defaultMode") {
    if (command.mode === null) return before;
    if (command.mode === "none") return { ...before, mode: null };
    const isKnown = modes.some(({ key }) => key === command.mode);
    return isKnown ? { ...before, mode: command.mode } : modesText(modes, command.mode, say);
  }
  if (command.kind === "language") {
    if (command.language === null) return before;
    if (command.language === "auto") return { ...before, language: null };
    const language = LANGUAGES.find((one) => one === command.language);
    return language === undefined
      ? say("That is none of {languages}.", { languages: CODES })
      : { ...before, language };
  }
  if (command.change === null) return before;
  const who = approverIn(name, command.change.who);
  if (who === null) return say(NOBODY);
  const others = approvers.filter((one) => one !== who);
  if (!command.change.add) return { ...before, approvers: others };
  return others.length < MOST_APPROVERS
    ? { ...before, approvers: [...others, who] }
    : say(FULL, { count: MOST_APPROVERS });
};

const shown = async (
  { platform, modes, models, say }: ChatDeps,
  kind: Setting["kind"],
  { mode, model, approvers, language }: OwnSettings,
): Promise<string> => {
  if (kind === "model") {
    const answers =
      model === null
        ? say("Conversations of this channel begin with the usual model, `{model}`.", {
            model: String(models.first ?? models.all[0]),
          })
        : say("Conversations of this channel begin with the model `{model}`.", { model });
    return `${answers} ${modelsText(models, null, say)}`;
  }
  if (kind === "defaultMode") {
    const usual = modes[0] === undefined ? "" : ` ${say("Set one: `default-mode NAME`, or `none`.")}`;
    return mode === null
      ? `${say("Conversations of this channel begin in the usual work mode.")}${usual}`
      : `${say("Conversations of this channel begin in the work mode `{mode}`.", { mode })}${usual}`;
  }
  if (kind === "language") {
    const now = say("Here I speak English.");
    const how = say("Set another: {languages}.", { languages: CODES });
    return language === null ? `${now} ${say("Nobody chose it for this channel.")} ${how}` : `${now} ${how}`;
  }
  const names = await Promise.all(approvers.map((one) => platform.label(one.replace(/^\w+:/, ""))));
  return names.length === 0
    ? say("This channel names nobody of its own who may approve. Add somebody: `approvers add @person`.")
    : say("This channel names, beside those of the host: {names}. They decide questions in its threads.", {
        names: names.join(", "),
      });
};

export const MAY_NOT: Label =
  "Only those whom PARLEY_APPROVERS names change what a channel has of its own. Ask one of them.";
const NOBODY: Label = "That names nobody here: `approvers add @person`, or a group or role by its mention.";
const FULL = "A channel names at most {count}. Use a group or a role." satisfies Sentence;
/** As they are typed. */
const CODES = [...LANGUAGES, "auto"].map((one) => `\`language ${one}\``).join(", ");
