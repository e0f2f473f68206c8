/**
 * All readers of the thread may read its steps (TH4). If people without write permission are among them, only the requester and
 * approvers see the output of steps, because it may contain more of the repository than an answer.
 */

import type { ConversationId, PersonId } from "../../../machine/id.ts";
import { effectivePermission, type State } from "../../../machine/state.ts";
import type { Permission } from "../../../machine/vocabulary.ts";
import type { StepSheet, StepsAsk } from "../../../ports/chat.ts";
import type { PostRow } from "../../../ports/store.ts";
import type { TranscriptMessage } from "../../../thread/prompt.ts";
import { citationsOf } from "../../../thread/visible-text.ts";
import { stepList } from "../../../thread/step-list.ts";
import { reviewOf } from "../../../thread/turn-post.ts";
import { groupsOf, surfacePersonId, rightsOf } from "./rights.ts";
import type { ChatDeps } from "./deps.ts";
import { unknownThreadText } from "./reply-texts.ts";

export const showSteps = async (deps: ChatDeps, ask: StepsAsk): Promise<StepSheet | string> => {
  const { bot, ledger, name, platform } = deps;
  const lived = ledger.lived(name, ask.place, ask.root ?? "");
  const [wanted = "", no] = ask.value.split("/");
  const id = wanted === "" ? lived.at(-1) : lived.find((one) => one === wanted);
  const detail = id === undefined ? null : await bot.read(id);
  if (id === undefined || detail === null) return deps.say(unknownThreadText);
  const { state, conversation } = detail;
  const turn = no === undefined ? state.turn.no : Number(no);
  const told = bot.told(id, turn);
  const asker = askerIn(told);
  if (isWithheld(told, state, turn) && !(await mayApprove(deps, ask))) return WITHHELD;
  return {
    conversation,
    asker: asker === null ? null : await platform.label(asker.slice(asker.indexOf(":") + 1)),
    footer: footerOf(bot.post(id, `footer/${turn}`)),
    citations: told.flatMap(({ words }) => citationsOf(words ?? undefined) ?? []),
    steps: stepList(told, permissionOf(state, bot.post(id, `turn/${turn}/1`)), deps.toolLooks, deps.say),
    notes: deps.memory?.lines(notesIn(told)) ?? [],
    say: deps.say,
    isWhole: await seesAll(deps, ask, asker),
  };
};

export const stepLines = (
  { bot, toolLooks, say }: Pick<ChatDeps, "bot" | "toolLooks" | "say">,
  id: ConversationId,
  state: State,
): readonly string[] => {
  const told = bot.told(id, state.turn.no);
  if (isWithheld(told, state, state.turn.no)) return [];
  const steps = stepList(told, effectivePermission(state), toolLooks, say);
  const from = Math.max(0, steps.length - MOST_LINES);
  const before = from === 0 ? [] : [say("… {count} before", { count: from })];
  return [
    ...before,
    ...steps.slice(from).map(({ title, facts }, index) => `${from + index + 1}. ${title} (${facts})`),
  ];
};

const MOST_LINES = 10;

const askerIn = (told: readonly TranscriptMessage[]): PersonId | null =>
  told.flatMap(({ entry }) => (entry.kind === "said" ? [entry.speaker.id] : []))[0] ?? null;

/** Ids of the notes in the last request of the turn. */
const notesIn = (told: readonly TranscriptMessage[]): readonly string[] =>
  told.flatMap(({ entry }) => (entry.kind === "answer" ? [entry.notes ?? []] : [])).at(-1) ?? [];

const footerOf = (footer: PostRow | null): StepSheet["footer"] =>
  footer?.post.body.kind === "footer" ? footer.post.body : null;

/** Returns the permission of the turn's speaker (D1) at the end of the turn. */
const permissionOf = (state: State, turn: PostRow | null): Permission =>
  turn?.post.body.kind === "turn" ? turn.post.body.permission : effectivePermission(state);

/** Steps of an answer in review could reveal the answer. */
const isWithheld = (told: readonly TranscriptMessage[], { turn }: State, no: number): boolean => {
  const entries = told.map(({ entry }) => entry);
  const isReviewed =
    (turn.no === no && turn.reviewed !== undefined) ||
    entries.some((one) => one.kind === "said" && one.reviewed !== undefined);
  return isReviewed && reviewOf(entries) === null;
};

const WITHHELD = "A maintainer looks at the answer first: its steps are shown once it is posted.";

const seesAll = async (deps: ChatDeps, ask: StepsAsk, asker: PersonId | null): Promise<boolean> =>
  deps.policy.drivers === "members" ||
  asker === surfacePersonId(deps.name, ask.person) ||
  mayApprove(deps, ask);

export const mayApprove = async (
  { platform, policy }: Pick<ChatDeps, "platform" | "policy">,
  { person }: Pick<StepsAsk, "person">,
): Promise<boolean> => {
  const read = await platform.person(person, groupsOf(policy));
  return read.kind === "person" && rightsOf(policy, read.person).mayApprove;
};
