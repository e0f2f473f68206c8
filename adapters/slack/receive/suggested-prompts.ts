/**
 * Suggested prompts in the app's Messages tab, chosen by the viewed channel, and in the assistant panel
 * of apps that were created before agents (D59). A failure is logged, and the next opening of the tab repeats the call.
 */

import type { webApi } from "@slack/bolt";
import type { Chat, HandleResult } from "../../../src/ports/chat.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import type { Log } from "../../../src/ports/host.ts";
import { whyOf } from "../../../src/ports/surface.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { attemptSlackCall } from "../api/failure.ts";
import type { AppOpened, Panel, ViewChanged } from "../read/read.ts";

/** People whose Messages tab is remembered. */
const PEOPLE = 500;
/** Slack's limit for one list. */
const MOST = 4;

interface PromptDeps extends Pick<ChatInbox, "say"> {
  readonly client: webApi.WebClient;
  readonly chat: Pick<Chat, "suggestions">;
  readonly log: Log;
}

/** Prompts of a person. `shown`: the list in the tab, as JSON. */
interface MessagesTab {
  readonly channel: string;
  readonly shown: string;
}

/** `viewed`: the channel that the person is viewing. `thread`: null for the top of the Messages tab. */
interface PromptPlace {
  readonly person: string;
  readonly viewed: string | null;
  readonly channel: string;
  readonly thread: string | null;
}

export const createSuggestedPrompts = ({ client, chat, say, log }: PromptDeps) => {
  const tabs = createLruCache<MessagesTab>(PEOPLE);
  /** Set once Slack has refused prompts without a thread, because the app is no agent. */
  let isNoAgent = false;

  const listOf = ({ person, viewed }: PromptPlace): ReturnType<Chat["suggestions"]> =>
    chat.suggestions({ person, place: viewed, isDirect: viewed?.startsWith("D") === true });

  const send = async (
    { channel, thread }: PromptPlace,
    prompts: Awaited<ReturnType<Chat["suggestions"]>>,
  ): Promise<boolean> => {
    const outcome = await attemptSlackCall(async () => {
      await client.assistant.threads.setSuggestedPrompts({
        channel_id: channel,
        // With a thread, an agent's call fails without an error.
        ...(thread === null ? {} : { thread_ts: thread }),
        title: say(channel)("Ask about the repository"),
        prompts: prompts.slice(0, MOST).map(({ title, message }) => ({ title, message })),
      });
      return { kind: "done", id: channel } as const;
    });
    if (outcome.kind === "done") return true;
    const why = whyOf(outcome, "Slack");
    isNoAgent ||= thread === null && NO_AGENT.has(why);
    if (isNoAgent) log.info("slack: suggested prompts off, app not an agent", { why });
    else log.warn("slack: suggested prompts not set", { why });
    return false;
  };

  const inTab = async (at: PromptPlace, before: MessagesTab | undefined): Promise<HandleResult> => {
    if (isNoAgent) return "done";
    const prompts = await listOf(at);
    const shown = JSON.stringify(prompts);
    if (prompts.length === 0 || shown === before?.shown) return "done";
    const isShown = await send(at, prompts);
    tabs.set(at.person, { channel: at.channel, shown: isShown ? shown : "" });
    return "done";
  };

  return {
    opened: ({ user: person, channel, viewed }: AppOpened): Promise<HandleResult> =>
      inTab({ person, channel, viewed, thread: null }, undefined),

    viewChanged: async ({ user: person, channel: named, viewed }: ViewChanged): Promise<HandleResult> => {
      const before = person === null ? undefined : tabs.get(person);
      const channel = named?.startsWith("D") === true ? named : before?.channel;
      if (person === null || channel === undefined) return "done";
      return inTab({ person, channel, viewed, thread: null }, before);
    },

    /** A workspace may have no panel. */
    panel: async ({ user: person, channel, thread, viewed }: Panel): Promise<HandleResult> => {
      const at = { person, channel, viewed, thread };
      const prompts = await listOf(at);
      if (prompts.length > 0) await send(at, prompts);
      return "done";
    },
  };
};

const NO_AGENT: ReadonlySet<string> = new Set(["not_agent_app", "feature_disabled", "feature_not_enabled"]);
