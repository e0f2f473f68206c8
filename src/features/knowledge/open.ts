/** What channels know beside their checkouts, put together. */

import type { Knowledge, KnowledgeDeps } from "../../knowledge/knowledge.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Conversation } from "../../ports/conversation.ts";
import type { KnowledgeReader } from "../../ports/knowledge/knowledge.ts";
import type { SolvedThreads } from "../../ports/knowledge/threads.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { Citations } from "../../ports/workspaces.ts";
import { siteOf, type Switched } from "../../knowledge/sources.ts";
import { reachOf } from "../outward.ts";
import type { Config } from "../settings/config.ts";
import { version } from "../settings/version.ts";

interface Parts extends Pick<KnowledgeDeps, "archives" | "read" | "clock" | "log"> {
  readonly threads: SolvedThreads;
  readonly chat: Pick<ChatStore, "channels" | "channel" | "binding">;
  readonly ledger: Pick<Ledger, "thread">;
}

export const openKnowledge = async (config: Config, parts: Parts): Promise<Knowledge> => {
  const { createKnowledge } = await import("../../knowledge/knowledge.ts");
  const { chat, ledger, ...rest } = parts;
  return createKnowledge({
    ...rest,
    directory: config.PARLEY_DATA,
    reach: reachOf(config),
    userAgent: USER_AGENT,
    channels: () => switchedOn(chat, parts.threads.communityOf),
    channelOf: (conversation) => channelOf({ ...parts, chat, ledger }, conversation),
    bounds: {
      pages: config.PARLEY_KNOWLEDGE_PAGES,
      bytes: config.PARLEY_KNOWLEDGE_MIB * 2 ** 20,
      every: config.PARLEY_KNOWLEDGE_HOURS * HOUR,
    },
  });
};

const HOUR = 60 * 60_000;

/** By its first word robots.txt knows us. */
export const USER_AGENT = `parley/${version}`;

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

/** The console is the operator's own: it has every site, and what any channel has of the same repository. */
const channelOf = (
  { chat, ledger, threads }: Pick<Parts, "chat" | "ledger" | "threads">,
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

/** Lines are looked up in the checkout, addresses in the index. */
export const citationsOf = (checkout: Citations, knowledge: Pick<KnowledgeReader, "check">): Citations => ({
  check: async (conversation, base, cited) => {
    const pages = cited.filter(({ quote }) => quote !== undefined);
    const lines = cited.filter(({ quote }) => quote === undefined);
    const looked = lines.length === 0 ? [] : await checkout.check(conversation, base, lines);
    return [...looked, ...knowledge.check(conversation, pages)];
  },
});
