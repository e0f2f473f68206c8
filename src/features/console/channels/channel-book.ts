/** Overrides of all channels in one place, for clients outside of chat that read and change them. */

import type { Millis, PersonId } from "../../../machine/id.ts";
import type { Instructions, ChannelOverrides } from "../../../ports/channels.ts";
import type { ChatStore } from "../../../ports/chat-rows.ts";
import type { RepositoryBinding } from "../../../ports/conversation.ts";
import { type Clock, DONE } from "../../../ports/host.ts";
import { type BudgetBook, channelScope } from "../../../ports/money.ts";
import { type KnowledgeEntries, MOST_SOURCES } from "../../../ports/knowledge.ts";
import {
  approverIn,
  MOST_APPROVERS,
  NO_SETTINGS,
  placeIn,
} from "../../../runtime/channels/channel-settings.ts";
import type { Repos } from "../../../runtime/channels/repos.ts";
import type { PlatformForms } from "../../../ports/platform-entry.ts";
import type { ModelNames } from "../../../ports/model.ts";
import type { Mode } from "../../../ports/tools.ts";
import { readRepositoryList } from "../../../runtime/channels/channel-repositories.ts";
import { readInstructions } from "../../../runtime/channels/instructions.ts";
import { english } from "../../../i18n/say.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { ChannelBook, ChannelChange, ChannelRow } from "./ports.ts";

interface ChannelBookDeps {
  readonly repos: Repos;
  /** Null if the chat platform does not exist. */
  readonly formsOf: (surface: string) => PlatformForms | null;
  readonly modes: readonly Mode[];
  readonly models: ModelNames;
  readonly chat: Pick<
    ChatStore,
    "channels" | "channel" | "setChannel" | "binding" | "bind" | "instructions" | "instruct"
  >;
  readonly budgets: BudgetBook;
  /** Names of MCP servers that a channel can switch on. */
  readonly servers: readonly string[];
  readonly knowledge: KnowledgeEntries;
  readonly clock: Pick<Clock, "now">;
}

export const createChannelBook = (deps: ChannelBookDeps): ChannelBook => {
  const { chat, budgets, repos, clock } = deps;

  const all = (): readonly ChannelRow[] => {
    const standings = new Map<string, ReturnType<BudgetBook["overview"]>["standings"][number]>(
      budgets.overview().standings.map((one) => [one.scope, one]),
    );
    return chat.channels().map(({ surface, place }) => {
      const binding = chat.binding(surface, place);
      const { by: _, at: __, ...own } = { ...NEVER_SET, ...chat.channel(surface, place) };
      const standing = standings.get(channelScope(surface, place));
      return {
        surface,
        place,
        repo: binding === null ? null : (repos.nameOf(binding.repo) ?? binding.repo.location),
        ...own,
        budget: standing?.isSet === true ? { most: standing.most } : null,
        instructions: chat.instructions(surface, place),
      };
    });
  };

  const set = async (change: ChannelChange, by: PersonId): ReturnType<ChannelBook["set"]> => {
    const checked = check(deps, change);
    if (typeof checked === "string") return { kind: "refused", why: checked };
    const { surface, place, budget } = change;
    const { repo, instructions, own } = checked;
    const at = clock.now();
    const settings = { ...NO_SETTINGS, ...chat.channel(surface, place), ...own, by, at };
    const stored = [
      () => (repo === null ? DONE : chat.bind(surface, place, { repo, by, at })),
      () => (budget === undefined ? DONE : budgets.set(channelScope(surface, place), budget, by)),
      () => (instructions === null ? DONE : chat.instruct(surface, place, toldBy(instructions.text, by, at))),
      () => (Object.keys(own).length === 0 ? DONE : chat.setChannel(surface, place, settings)),
    ];
    for (const store of stored) {
      const done = await store();
      if (done.kind === "failed") return done;
    }
    deps.knowledge.changed();
    return DONE;
  };

  return { all, set };
};

const NEVER_SET = { ...NO_SETTINGS, by: null, at: null };

interface Checked {
  readonly repo: RepositoryBinding | null;
  /** The given overrides in the form in which they are stored. */
  readonly own: Partial<ChannelOverrides>;
  /** Null if the instructions do not change. */
  readonly instructions: { readonly text: string | null } | null;
}

/** Checks the change. Returns a sentence if the change is invalid. */
const check = (deps: ChannelBookDeps, change: ChannelChange): Checked | string => {
  const { repos, modes, models, servers } = deps;
  const { surface, place, repo, budget: _, instructions: told, ...own } = change;
  const { mode, model, approvers } = own;
  const resolved = repo === undefined ? null : readRepositoryList(repos, repo);
  if (resolved?.kind === "refused") return resolved.why(english);
  if (mode != null && !modes.some(({ key }) => key === mode))
    return `There is no work mode ${mode}. There are ${modes.map(({ key }) => key).join(", ")}.`;
  if (model != null && !models.knows(model))
    return `There is no model ${model}. There are ${models.all.join(", ")}.`;
  for (const server of change.servers ?? []) {
    if (servers.includes(server)) continue;
    const known =
      servers.length === 0 ? "The operator names none in PARLEY_MCP." : `There are ${servers.join(", ")}.`;
    return `There is no MCP server ${server}. ${known}`;
  }
  const forms = deps.formsOf(surface);
  const named = approvers?.map((one) => (forms === null ? null : approverIn(forms, one)));
  const unknown = approvers?.find((_, index) => named?.[index] === null);
  if (unknown !== undefined)
    return `${unknown} names nobody of ${surface}. Use ids such as ${forms?.examples ?? "U…"}.`;
  const kept = [...new Set(named?.flatMap((one) => one ?? []))];
  if (kept.length > MOST_APPROVERS)
    return `A channel can list at most ${MOST_APPROVERS} approvers. Use a group or a role instead.`;
  const knowledge = knowledgeIn(deps, change, resolved?.bound ?? null);
  if (typeof knowledge === "string") return knowledge;
  const review =
    change.review == null ? change.review : forms === null ? null : placeIn(forms, change.review);
  if (change.review != null && (review === null || review === place))
    return `${change.review} is no other channel of ${surface}. Use its id.`;
  const instructions = told === undefined ? null : readInstructions(told ?? "");
  if (instructions?.kind === "refused") return instructions.why(english);
  return {
    repo: resolved?.bound ?? null,
    instructions,
    own: {
      ...own,
      ...omitUndefined({ approvers: approvers && kept, knowledge, review }),
    },
  };
};

/**
 * The knowledge entries to store, or a sentence if an entry is invalid. `bound`: the repository that the channel will have
 * after the change.
 */
const knowledgeIn = (
  { chat, knowledge }: ChannelBookDeps,
  { surface, place, knowledge: given }: ChannelChange,
  bound: RepositoryBinding | null,
): readonly string[] | string | undefined => {
  if (given === undefined) return undefined;
  if (given.length > MOST_SOURCES) return `A channel has at most ${MOST_SOURCES} sources of knowledge.`;
  const repo = bound ?? chat.binding(surface, place)?.repo ?? null;
  const read = given.map((one) => knowledge.entry(one, repo));
  const refused = read.find((one) => one.kind === "refused");
  if (refused !== undefined) return refused.why;
  return [...new Set(read.flatMap((one) => (one.kind === "entry" ? one.entry : [])))];
};

const toldBy = (text: string | null, by: PersonId, at: Millis): Instructions | null =>
  text === null ? null : { text, by, at };
