/**
 * The page of one person: cards that the person can decide, and work in the person's channels. Rights are those of each
 * question's thread at this moment (D2). Private channels are shown to their members alone.
 */

import { askerOf, type Phase, requestersOf } from "../../machine/state.ts";
import type { Detail } from "../../ports/bot.ts";
import type { WaitingQuestion } from "../../ports/chat-rows.ts";
import type { HomeCard, HomeRun, PersonalHome } from "../../ports/chat.ts";
import type { Person } from "../../ports/chat-platform.ts";
import type { QuestionRow } from "../../ports/store.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Say } from "../../i18n/say.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { policyAt } from "./commands/channels.ts";
import type { ChatDeps } from "./people/deps.ts";
import { memberOf } from "./people/member.ts";
import { ownerGroups } from "./people/owner-groups.ts";
import { phaseText } from "./people/reply-texts.ts";
import { groupsOf, isOwnRequest, type Policy, speakerOf } from "./people/rights.ts";
import { waitingCard } from "./people/waiting-card.ts";

const MOST = 10;
/** Conversations that are searched for running work. */
const RECENT = 100;

type HomeDeps = Omit<ChatDeps, "answerUnbound" | "say">;

export const personalHome = async (host: HomeDeps, id: string): Promise<PersonalHome> => {
  const { mention } = host;
  const questions = await openQuestions(host);
  const groups = new Set([...groupsOf(host.policy), ...questions.flatMap((one) => one.groups)]);
  const member = await memberOf({ ...host, say: sayIn(host.languageAt("")) }, id, [...groups]);
  if (typeof member === "string")
    return { say: sayIn(host.languageAt("")), mention, notice: member, cards: [], runs: [], more: 0 };
  const { person, say } = member;
  const sees = readers(host, id);
  const cards: HomeCard[] = [];
  let more = 0;
  for (const one of questions) {
    if (!mayDecide(host, one, person) || !(await sees.reads(one.waiting.place))) continue;
    const card = cards.length < MOST ? await cardOf(host, one, say) : null;
    if (card === null) more += 1;
    else cards.push(card);
  }
  return { say, mention, notice: null, cards, runs: await runsOf(host, sees.isIn, say), more };
};

interface OpenQuestion {
  readonly waiting: WaitingQuestion;
  readonly question: QuestionRow;
  readonly detail: Detail;
  readonly policy: Policy;
  readonly groups: readonly string[];
}

/** Answers in review, and requests of their turns, wait in another channel. */
const openQuestions = async (host: HomeDeps): Promise<readonly OpenQuestion[]> => {
  const found: OpenQuestion[] = [];
  for (const waiting of host.store.waiting(host.name)) {
    const { conversation, place, type } = waiting;
    const detail = type === "answer" ? null : await host.bot.read(conversation);
    const question = detail?.question ?? null;
    if (detail === null || question === null || detail.state.turn.reviewed !== undefined) continue;
    const policy = policyAt(host, place);
    const groups = [...groupsOf(policy), ...(await ownerGroups(host.bot, policy, conversation))];
    found.push({ waiting, question, detail, policy, groups });
  }
  return found;
};

/** A work mode is no permission, so the requester chooses it. */
const mayDecide = (
  { platform }: Pick<HomeDeps, "platform">,
  { waiting: { place, type }, detail: { state }, policy }: OpenQuestion,
  person: Person,
): boolean => {
  const speaker = speakerOf(policy, person);
  if (type === "mode") return askerOf(state) === speaker.id;
  const isDirect = platform.isDirect?.(place) === true;
  return speaker.mayApprove && !isOwnRequest(policy, speaker.id, requestersOf(state), isDirect);
};

const cardOf = async (
  host: HomeDeps,
  { waiting: { place, root }, question, detail }: OpenQuestion,
  say: Say,
): Promise<HomeCard | null> => {
  const { bot: store, toolLooks: looks, render, platform } = host;
  const content = waitingCard({ store, looks, render }, detail.conversation, question, say);
  return content === null ? null : { content, link: await platform.link(place, root) };
};

const runsOf = async (
  { name, bot, ledger, platform }: HomeDeps,
  isIn: (place: string) => Promise<boolean>,
  say: Say,
): Promise<readonly HomeRun[]> => {
  const runs: HomeRun[] = [];
  for (const { conversation, state } of bot.list(RECENT, null)) {
    const thread = RUNNING.has(state.phase.kind) ? ledger.thread(conversation.id) : null;
    if (thread === null || thread.surface !== name || !(await isIn(thread.place))) continue;
    runs.push({
      title: maskSecrets(conversation.title),
      phase: phaseText(state.phase, say),
      link: await platform.link(thread.place, thread.root),
    });
    if (runs.length === MOST) break;
  }
  return runs;
};

const RUNNING: ReadonlySet<Phase["kind"]> = new Set([
  "thinking",
  "running",
  "awaitingApproval",
  "awaitingAgents",
  "summarizing",
  "stopping",
]);

/** Reads each channel once. An unknown channel counts as one that the person cannot read. */
const readers = ({ platform }: Pick<HomeDeps, "platform">, person: string) => {
  const memberships = new Map<string, Promise<boolean>>();
  const isIn = (place: string): Promise<boolean> => {
    const known =
      memberships.get(place) ??
      Promise.resolve(platform.isIn?.(place, person) ?? null).then((read) => read === true);
    memberships.set(place, known);
    return known;
  };
  return {
    isIn,
    reads: async (place: string): Promise<boolean> =>
      (await isIn(place)) || (await platform.audience(place)) === "public",
  };
};
