/** Texts of people, models and tools, shortened for display. Pure. */

import { type Agent, hasFinished } from "../../../machine/agent.ts";
import { callObject, endText, inputText, type CallWording } from "../../../thread/call-text.ts";
import type { Outcome } from "../../../machine/transcript.ts";
import { maskSecrets } from "../../../text/secrets/known-forms.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { fieldIn } from "../../../text/json.ts";
import type { PostBody } from "../../../thread/post.ts";
import { callInput, type ImageRef, type StoredContent } from "../../../thread/prompt.ts";
import { agentTasks, answerText, briefTask, callReason } from "../../../thread/visible-text.ts";
import { durationText } from "../../../thread/durations.ts";
import { AGENT_OUTCOMES } from "../../../thread/wording.ts";
import type { Say } from "../../../i18n/say.ts";
import { sharedFile } from "../../../../adapters/text/files.ts";
import type { Picture, PostOf, WireAgent, WireBody } from "./api-types.ts";
import { excerpt, firstLine } from "./excerpt.ts";
import type { PageScene } from "./scene.ts";

/** Maximum number of displayed characters of a tool's output, its input, and a reason. */
const MAX_OUTPUT = 24_000;
const MAX_INPUT = 8_000;
const MAX_REASON = 1_500;
const MAX_DIFF = 60_000;
const MAX_TITLE = 200;

/** The model's reason in an upgrade request; always shown quoted below the facts (docs/design/ideas.md). */
export const questionReason = (words: StoredContent | undefined, call: string): string =>
  excerpt((callReason(words, call) ?? "").trim(), MAX_REASON);

/** The model's thoughts, shortened, and masked like tool output. */
export const thoughtIn = (words: StoredContent | undefined): { readonly thought?: string } => {
  const thought = thoughtText(words);
  return thought === "" ? {} : { thought: excerpt(maskSecrets(thought), MAX_OUTPUT) };
};

/** The thoughts that the provider returns; empty if it returns none. */
const thoughtText = (words: StoredContent | undefined): string =>
  words?.kind === "answer"
    ? words.blocks
        .map((block) => (block.kind === "opaque" ? thinkingIn(block.raw) : ""))
        .filter((thought) => thought.trim() !== "")
        .join("\n\n")
    : "";

const thinkingIn = (block: unknown): string => {
  const found = fieldIn(block, "thinking");
  return typeof found === "string" ? found : "";
};

/** Thoughts of a response without text. Such a response has no post, so its first call displays the thoughts. */
const thoughtBefore = (words: StoredContent | undefined, call: string): { readonly thought?: string } => {
  if (words?.kind !== "answer" || answerText(words).trim() !== "") return {};
  const first = words.blocks.find((block) => block.kind === "toolUse");
  return first?.kind === "toolUse" && first.id === call ? thoughtIn(words) : {};
};

export const activity = (
  body: PostBody & { readonly kind: "activity" },
  { words, looks, say }: Pick<PageScene, "words" | "looks" | "say">,
): WireBody & { readonly kind: "activity" } => {
  const { call, status, outcome } = body;
  const look = looks(call.name);
  const input = inputOf(words.get(body.message), call.id);
  const tasks = agentTasks(words.get(body.message), call.id);
  const told = outcome?.kind === "ran" ? words.get(outcome.message) : undefined;
  const result = told?.kind === "result" ? told : null;
  const erased = outcome === null ? null : say("[erased]");
  const output = outcome?.kind === "host" ? outcome.text : (result?.text ?? erased);
  return {
    kind: "activity",
    tool: call.name,
    ...saidOf(look, status, say),
    title: tasks.length > 0 ? say("{count} tasks", { count: tasks.length }) : titleOf(look, call.name, input),
    icon: look.icon,
    face: look.face,
    input: excerpt(inputText(input), MAX_INPUT),
    output: output === null ? null : excerpt(maskSecrets(output), MAX_OUTPUT),
    diff: result?.diff === undefined || result.diff === null ? null : excerpt(result.diff, MAX_DIFF),
    images: pictures(result?.images ?? []),
    status,
    ended: outcome === null ? "" : endedIn(outcome, body.took, say),
    ...thoughtBefore(words.get(body.message), call.id),
    ...omitUndefined({
      agents: body.agents && agentsOf(body.agents, tasks, say),
    }),
  };
};

const endedIn = (outcome: Outcome, took: number | undefined, say: Say): string =>
  [endText(outcome, say), ...(took === undefined ? [] : [durationText(took, say)])]
    .filter((part) => part !== "")
    .join(" · ");

const agentsOf = (agents: readonly Agent[], tasks: readonly string[], say: Say): readonly WireAgent[] =>
  agents.map(({ id, model, end }, index) => ({
    id,
    task: briefTask(tasks[index] ?? ""),
    model,
    outcome: end === null ? null : say(AGENT_OUTCOMES[end.how]),
    finished: end !== null && hasFinished(end.how),
    costUsd: (end?.usage.costMicroUsd ?? 0) / 1_000_000,
  }));

export const fileBody = (
  body: PostBody & { readonly kind: "file" },
  { conversation, words }: PageScene,
): WireBody & { readonly kind: "file" } => {
  const file = sharedFile(body, words);
  if (file === null) {
    return { kind: "file", markdown: "[erased]", name: "", size: 0, mediaType: "", url: null };
  }
  const { name, size, mediaType, title } = file;
  const url = `/api/conversations/${conversation.id}/files/${body.message}/${body.index}`;
  return { kind: "file", markdown: title ?? "", name, size, mediaType, url };
};

export const pictures = (images: readonly ImageRef[]): readonly Picture[] =>
  images.map(({ hash, mediaType }) => ({ url: `/api/images/${hash}`, mediaType }));

const inputOf = (words: StoredContent | undefined, call: string): unknown => callInput(words, call) ?? {};

/** The text before and after the title, which has its own font. A waiting call has not started. */
const saidOf = (
  look: CallWording,
  status: PostOf<"activity">["status"],
  say: Say,
): Pick<PostOf<"activity">, "before" | "after"> => {
  if (status === "waiting") return { before: say("Next"), after: "" };
  const said = say(status === "running" ? look.now : look.past, { object: TITLE });
  const [before = "", after = ""] = said.split(TITLE);
  return { before: `${before.charAt(0).toUpperCase()}${before.slice(1)}`.trim(), after: after.trim() };
};

/** Placeholder for the title; no sentence of the catalog contains this character. */
const TITLE = "\u0000";

/** The object of a call, or the call's first text if there is no object. */
const titleOf = (look: CallWording, name: string, input: unknown): string => {
  if (look.fields.length === 0 && look.past.includes("{object}")) return name;
  const given = typeof input === "object" && input !== null ? Object.values(input) : [];
  const texts = [callObject({ look, input }), ...given.filter((value) => typeof value === "string")];
  return firstLine(texts.find((text) => text.trim() !== "") ?? "", MAX_TITLE);
};
