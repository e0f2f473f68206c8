import type { Core } from "../../feature.ts";
import { atMost } from "../../ports/host.ts";
import type { Conversation } from "../../ports/conversation.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";
import type { KnowledgeBook } from "./ports.ts";
import { createKnowledgeTool } from "./search-knowledge.ts";
import type { KnowledgeSettings } from "./settings.ts";
import { createSolvedThreads } from "./solved-threads.ts";
import { siteOf, type Switched } from "./sources.ts";
import type { SolvedThreads } from "./threads.ts";

/** Dependencies of the command. */
export interface KnowledgeContext {
  readonly knowledge: KnowledgeBook;
}

interface Parts
  extends Pick<Core, "archives" | "clock" | "data" | "log" | "pagesRead" | "reach" | "version"> {
  readonly chat: Pick<Core["chat"], "binding" | "channel" | "channels">;
  readonly ledger: Pick<Core["ledger"], "thread">;
}

interface WithAnswers extends Parts, Pick<Core, "answers" | "feedback" | "link" | "readThread" | "store"> {}

export const openKnowledge = (settings: KnowledgeSettings, core: WithAnswers) => {
  const knowledge = createKnowledgeOf(settings, core, createSolvedThreads(core));
  const own: KnowledgeContext = { knowledge };
  return {
    own,
    knowledge,
    tools: [createKnowledgeTool(knowledge)],
    heard: knowledge.heard,
    changed: (tables: ReadonlySet<string>): void => {
      if (tables.has("solved")) knowledge.threadsChanged();
    },
    leave: knowledge.leave,
    // A job of the index may take minutes. The texts of an aborted job are read again after the restart.
    close: async () => void (await atMost(core.clock, LONGEST_CLOSE, knowledge.close())),
  };
};

const LONGEST_CLOSE = 500;

export const createKnowledgeOf = (
  settings: KnowledgeSettings,
  core: Parts,
  threads: SolvedThreads,
): Knowledge => {
  const { chat, data, pagesRead, version } = core;
  return createKnowledge({
    ...core,
    threads,
    directory: data,
    read: pagesRead,
    userAgent: userAgentOf(version),
    channels: () => switchedOn(chat, threads.communityOf),
    channelOf: (conversation) => channelOf({ ...core, threads }, conversation),
    bounds: {
      pages: settings.PARLEY_KNOWLEDGE_PAGES,
      bytes: settings.PARLEY_KNOWLEDGE_MIB * 2 ** 20,
      every: settings.PARLEY_KNOWLEDGE_HOURS * HOUR,
    },
  });
};

const HOUR = 60 * 60_000;

/** robots.txt identifies Parley by the first word. */
export const userAgentOf = (version: string): string => `parley/${version}`;

export const switchedOn = (
  chat: Parts["chat"],
  communityOf: SolvedThreads["communityOf"],
): readonly Switched[] =>
  chat.channels().flatMap((at) => {
    const { surface, place } = at;
    const entries = chat.channel(surface, place)?.knowledge ?? [];
    const repo = chat.binding(surface, place)?.repo ?? null;
    return entries.length === 0 ? [] : [{ entries, repo, community: communityOf(at) }];
  });

/** The operator's console gets every site, and the sources of all channels with the same repository. */
const channelOf = (
  { chat, ledger, threads }: Pick<Parts, "chat" | "ledger"> & { readonly threads: SolvedThreads },
  conversation: Pick<Conversation, "id" | "surface" | "repo">,
): Switched => {
  const { id, surface, repo } = conversation;
  if (surface === "console") {
    const all = switchedOn(chat, threads.communityOf);
    const same = all.filter((one) => one.repo?.location === repo.location).flatMap(({ entries }) => entries);
    const sites = all.flatMap(({ entries }) => entries.filter((entry) => siteOf(entry) !== null));
    return { entries: [...new Set([...same, ...sites])], repo };
  }
  const thread = ledger.thread(id);
  const channel = thread === null ? null : chat.channel(thread.surface, thread.place);
  const community = thread === null ? {} : { community: threads.communityOf(thread) };
  return { entries: channel?.knowledge ?? [], repo, ...community };
};
