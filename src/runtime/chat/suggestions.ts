/** Suggests questions to a person: the next step of a scripted model, or questions about the channel that the person views. */

import { sayIn } from "../../i18n/languages.ts";
import type { Say } from "../../i18n/say.ts";
import type { Suggestion, SuggestionsAsk } from "../../ports/chat.ts";
import { clipCodePoints } from "../../text/clip-text.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import type { ChatDeps } from "./people/deps.ts";
import { surfacePersonId } from "./people/rights.ts";

const MOST = 4;
/** Maximum characters of a title and of a question. */
const MAX_TITLE = 40;
const MAX_QUESTION = 300;
/** Conversations that are searched for earlier questions. */
const RECENT = 100;
const EARLIER = 2;

type SuggestDeps = Pick<
  ChatDeps,
  "name" | "bot" | "ledger" | "store" | "repos" | "platform" | "places" | "languageAt" | "next"
>;

export const suggestionsFor = async (
  host: SuggestDeps,
  ask: SuggestionsAsk,
): Promise<readonly Suggestion[]> => {
  const { place } = ask;
  const say = sayIn(host.languageAt(place ?? ""));
  const script = host.next?.(lastQuestion(host, ask.person)) ?? [];
  if (script.length > 0) return script.slice(0, MOST).map(suggestion);
  const there = place === null || ask.isDirect ? [] : await aboutChannel(host, place, ask.person, say);
  return [...there, ...general(say)].slice(0, MOST);
};

const general = (say: Say): readonly Suggestion[] => [
  { title: say("Find something"), message: say("Where in the repository is the configuration read?") },
  { title: say("Explain a failure"), message: say("Explain this stack trace and where it comes from:") },
  { title: say("What can you do?"), message: "help" },
];

/** A private channel is described to its members alone, and its questions are never repeated elsewhere. */
const aboutChannel = async (
  host: SuggestDeps,
  place: string,
  person: string,
  say: Say,
): Promise<readonly Suggestion[]> => {
  const { store, repos, platform, places, name } = host;
  const binding = store.binding(name, place);
  const repo = binding === null ? null : repos.nameOf(binding.repo);
  if (repo === null || (places !== null && !places.includes(place))) return [];
  const isPublic = (await platform.audience(place)) === "public";
  if (!isPublic && (await platform.isIn?.(place, person)) !== true) return [];
  return [
    suggestion(say("What does {repo} do?", { repo })),
    ...(isPublic ? earlierQuestions(host, place).map(suggestion) : []),
  ];
};

/** First messages of the channel's newest conversations. A name that a person chose is no question. */
const earlierQuestions = ({ bot, ledger, name }: SuggestDeps, place: string): readonly string[] => {
  const titles = bot.list(RECENT, null).flatMap(({ conversation: { id, title, titledBy }, state }) => {
    const thread = ledger.thread(id);
    const isThere = thread?.surface === name && thread.place === place;
    return isThere && titledBy === undefined && state.turn.reviewed === undefined && title.trim() !== ""
      ? [title]
      : [];
  });
  return [...new Set(titles)].slice(0, EARLIER);
};

/** Empty if the person asked nothing yet. */
const lastQuestion = ({ bot, name }: SuggestDeps, person: string): string => {
  const id = surfacePersonId(name, person);
  return (
    bot.list(RECENT, null).find(({ conversation }) => conversation.createdBy === id)?.conversation.title ?? ""
  );
};

const suggestion = (text: string): Suggestion => {
  const message = maskSecrets(text).replaceAll(/\s+/g, " ").trim();
  return { title: clipCodePoints(message, MAX_TITLE), message: clipCodePoints(message, MAX_QUESTION) };
};
