/**
 * Computes the next chunks of a streamed message: text line by line, a card for each tool, and one status
 * line. Pure except for its memory of the message.
 */

import type { types } from "@slack/bolt";
import { hasFinished } from "../../../src/machine/agent.ts";
import type { Progress } from "../../../src/ports/surface.ts";
import type { AgentStatus } from "../../../src/thread/post.ts";
import { agentLine } from "../../text/agents.ts";
import { createNeutralizer } from "../../text/neutral.ts";
import { doingText } from "../../text/step.ts";
import { workingText } from "../../post/phrases.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { clipText } from "../../../src/text/clip-text.ts";
import { visibleText } from "../../../src/text/invisible.ts";
import { unlinked } from "./blocks.ts";

/** Maximum characters of a card's title or field. */
const MAX_TITLE = 250;
/**
 * Maximum characters of untrusted content in a title; the host's own words need up to 170 in any language.
 */
const MAX_OBJECT = 80;
const MAX_CHUNK = 8_000;
/** Length of the end of a long text with which a replacing message starts. */
const MAX_BEGIN = 1_500;
/** Characters of text after which a new message replaces this one. */
const MAX_TEXT = 9_000;

export type Chunks = ReturnType<typeof createChunks>;

export const createChunks = (first: Progress) => {
  const neutraliser = createNeutralizer([]);
  const say = sayIn(first.language ?? "en");
  /** Slack accepts no markup in a title. */
  const marks = { code: object, plain: object, say };
  let seen = first.live.slice(0, beginning(first.live));
  let given = 0;
  let title = "";
  let card: { readonly id: string; readonly tool: string } | null = null;
  let cards = 0;
  /** Current content of the sub-agents' cards. */
  let crew: readonly string[] = [];
  let missing: readonly types.AnyChunk[] = [];
  if (isInFence(seen)) neutraliser.write("```\n");

  const text = (live: string): readonly types.AnyChunk[] => {
    const shown = neutraliser.write(live.slice(seen.length));
    seen = live;
    given += shown.length;
    return parts(shown).map((part) => ({ type: "markdown_text", text: part }));
  };

  const step = ({ status: { kind, tool }, doing }: Progress): readonly types.AnyChunk[] => {
    const name = tool === null ? null : object(tool);
    const named = doing === undefined ? name : doingText(doing, name, marks);
    const now = kind === "running" ? named : null;
    if (now === (card?.tool ?? null)) return [];
    const ended = card === null ? [] : [update(card, "complete")];
    card = now === null ? null : { id: `tool${++cards}`, tool: now };
    return card === null ? ended : [...ended, update(card, "in_progress")];
  };

  /** Returns one card for each sub-agent, below the card of the call that started them. */
  const agents = ({ status }: Progress): readonly types.AnyChunk[] => {
    const now = (status.agents ?? []).map((agent, index) =>
      agentCard(agent, `tool${cards}.${index + 1}`, say),
    );
    const keys = now.map((one) => JSON.stringify(one));
    const changed = now.filter((_, index) => keys[index] !== crew[index]);
    crew = keys;
    return changed;
  };

  return {
    /**
     * Returns the missing chunks. Null if the message contains text that cannot be removed, so that a new
     * message is needed.
     */
    next: (progress: Progress): readonly types.AnyChunk[] | null => {
      const { live } = progress;
      if (live !== "" && !live.startsWith(seen)) return null;
      const line = clipText(workingText(progress, marks), MAX_TITLE);
      const plan: readonly types.AnyChunk[] = line === title ? [] : [{ type: "plan_update", title: line }];
      title = line;
      missing = [
        ...missing,
        ...plan,
        ...step(progress),
        ...agents(progress),
        ...(live === "" ? [] : text(live)),
      ];
      return missing;
    },
    /** Records that the message has received the last chunks of `next`. */
    arrived: () => {
      missing = [];
    },
    /** Whether the message has received as much text as one message should contain. */
    isFull: (): boolean => given > MAX_TEXT,
  };
};

const update = (
  { id, tool }: { readonly id: string; readonly tool: string },
  status: types.TaskUpdateChunk["status"],
): types.TaskUpdateChunk => ({ type: "task_update", id, title: clipText(tool, MAX_TITLE), status });

const agentCard = (agent: AgentStatus, id: string, say: Say): types.TaskUpdateChunk => ({
  type: "task_update",
  id,
  title: clipText(
    agentLine({ ...agent, task: object(agent.task.replaceAll(/[<>&]/g, " ")) }, say),
    MAX_TITLE,
  ),
  status: cardStatus(agent),
});

/**
 * Formats untrusted content inside a line of the host. It stays on one line, hidden characters are spelled
 * out, and the host's words after it still fit (39.A2).
 */
const object = (text: string): string => clipText(unlinked(visibleText(text)), MAX_OBJECT);

const cardStatus = ({ step, how }: AgentStatus): types.TaskUpdateChunk["status"] => {
  if (step !== "ended") return step === "waiting" ? "pending" : "in_progress";
  return how !== null && hasFinished(how) ? "complete" : "error";
};

/** Returns the start of a replacing message within a long text, at a line. */
const beginning = (live: string): number => {
  if (live.length <= MAX_BEGIN) return 0;
  const newline = live.indexOf("\n", live.length - MAX_BEGIN);
  return newline === -1 ? live.lastIndexOf("\n") + 1 : newline + 1;
};

const isInFence = (before: string): boolean =>
  (before.match(/^[ \t>]*(?:`{3}|~{3})/gm)?.length ?? 0) % 2 === 1;

const parts = (text: string): readonly string[] => {
  const cut: string[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + MAX_CHUNK);
    const newline = rest.lastIndexOf("\n") + 1;
    const part =
      at + rest.length === text.length || newline === 0
        ? rest.replace(/[\ud800-\udbff]$/, "")
        : rest.slice(0, newline);
    cut.push(part);
    at += part.length;
  }
  return cut;
};
