/** Conversations and their status for the API. Pure. */

import type { LaterMessage, Usage } from "../../../machine/vocabulary.ts";
import type { Detail, Overview } from "../../../ports/bot.ts";
import { locationsOf } from "../../../ports/conversation.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import type { StoredContent } from "../../../thread/prompt.ts";
import type { Say } from "../../../i18n/say.ts";
import { authorName, waitingText } from "../../../thread/waiting-text.ts";
import { agentLine, agentsHead } from "../../../../adapters/text/agents.ts";
import { stepText } from "../../../../adapters/text/step.ts";
import type { StateNews, ConversationSummary, UsageFigures, WireWaiting, WireStatus } from "./api-types.ts";

export const conversationSummary = ({ conversation, state }: Overview): ConversationSummary => ({
  id: conversation.id,
  surface: conversation.surface,
  title: conversation.title,
  repo: locationsOf(conversation.repo),
  permission: state.permission,
  confinement: state.confinement,
  mode: state.mode,
  model: state.model,
  safeMode: state.safeMode,
  phase: state.phase.kind,
  context: { used: state.context.used, window: state.context.window, percent: percent(state.context) },
  usage: usageFigures(state.usage),
  ...omitUndefined({
    commit: conversation.base?.commit,
    ref: conversation.base?.ref,
    continuedFrom: conversation.origin?.conversation,
    continuedTo: (state.phase.kind === "exhausted" ? state.phase.next : null) ?? undefined,
    parent: state.parent ?? undefined,
    archived: conversation.archived === true || undefined,
  }),
  createdAt: conversation.createdAt,
  updatedAt: conversation.updatedAt,
});

export const stateNews = (
  overview: Overview,
  status: ThreadStatus | null,
  say: Say,
  waiting: readonly WireWaiting[] = [],
): StateNews => ({
  ...conversationSummary(overview),
  cwd: overview.conversation.base?.cwd ?? null,
  status: status === null ? null : wireStatus(status, say),
  ...(waiting.length === 0 ? {} : { waiting }),
});

export const wireWaiting = (
  { message, speaker }: LaterMessage,
  words: StoredContent | undefined,
): WireWaiting => ({
  id: message,
  name: authorName(speaker),
  text: words?.kind === "said" ? words.text : "",
});

/** Text of the request in flight. The text of an ended request is in its post. */
export const liveText = ({ state, live }: Detail): string => (state.phase.kind === "thinking" ? live : "");

const PLAINLY = { code: (text: string) => text, plain: (text: string) => text };

const wireStatus = (status: ThreadStatus, say: Say): WireStatus => ({
  kind: status.kind,
  text: [stepText(status, { ...PLAINLY, say }), waitingText(status.waiting ?? [], { ...PLAINLY, say })]
    .filter((text) => text !== null)
    .join(" · "),
  tool: status.tool,
  attempt: status.attempt,
  wait: status.wait === null ? null : { delayMs: status.wait.delay, message: status.wait.failure.message },
  actions: status.actions,
  ...omitUndefined({
    agents: status.agents && {
      head: agentsHead(status.agents, say),
      lines: status.agents.map((one) => agentLine(one, say)),
    },
    setUp: status.setUp && setUpText(status.setUp, say),
  }),
});

/** Suffix for a setup that runs during another activity. */
const setUpText = ({ line, seconds }: NonNullable<ThreadStatus["setUp"]>, say: Say): string =>
  ` · ${say("setup for {seconds} s", { seconds })}${line === "" ? "" : `: ${line}`}`;

export const usageFigures = (usage: Usage): UsageFigures => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  cacheReadTokens: usage.cacheRead,
  cacheWriteTokens: usage.cacheWrite,
  costUsd: usage.costMicroUsd / 1_000_000,
});

const percent = ({ used, window }: { readonly used: number; readonly window: number }): number =>
  window <= 0 ? 0 : Math.round((used / window) * 1000) / 10;
