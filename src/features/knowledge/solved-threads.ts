/** Solved threads of this host's conversations, from stored answers and the platforms' current threads. */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import type { Answer, Answers } from "../../ports/answers.ts";
import type { FeedbackRows } from "../../ports/feedback.ts";
import type { Clock } from "../../ports/host.ts";
import type { SolvedThreads } from "./threads.ts";
import type { Store } from "../../ports/store.ts";
import type { Routes } from "../../runtime/chat/route.ts";
import { maskSecrets } from "../../text/secrets/known-forms.ts";
import { answerText } from "../../thread/visible-text.ts";

interface Deps extends Pick<Routes, "readThread" | "link"> {
  readonly feedback: Pick<FeedbackRows, "solvedIn" | "serverOf" | "solvedBy">;
  readonly answers: Pick<Answers, "answer">;
  readonly store: Pick<Store, "words">;
  readonly clock: Pick<Clock, "now">;
}

/** Time for which the read audience of a channel remains valid. */
const FRESH: Millis = 10 * 60_000;
const TITLE = 150;

type Threaded = Answer & { readonly thread: NonNullable<Answer["thread"]> };

export const createSolvedThreads = (deps: Deps): SolvedThreads => {
  const { feedback, answers, store, clock } = deps;
  const channels = new Map<string, { readonly isPublic: boolean | null; readonly at: Millis }>();

  /**
   * The answer that solved the conversation. Null unless the answer was public when it was posted and its citations still hold.
   */
  const solvedIn = (key: ConversationId): (Threaded & { readonly solved: Millis }) | null => {
    const by = feedback.solvedBy(key);
    const answer = by === null ? null : answers.answer(by);
    if (by === null || answer === null || answer.thread === null) return null;
    if (answer.audience !== "public" || answer.standing === "changed") return null;
    return { ...answer, thread: answer.thread, solved: by.at };
  };

  const isPublic = async ({ surface, thread }: Threaded): Promise<boolean | null> => {
    const name = `${surface} ${thread.place}`;
    const now = clock.now();
    const known = channels.get(name) ?? { isPublic: null, at: now };
    if (known.isPublic !== null && now - known.at < FRESH) return known.isPublic;
    const audience = (await deps.readThread(surface, thread))?.audience ?? null;
    const read = audience === null ? known : { isPublic: audience === "public", at: now };
    channels.set(name, read);
    // A channel that Parley has not been able to read for a day counts as private.
    return now - read.at < DAY ? read.isPublic : false;
  };

  return {
    communityOf: ({ surface, place }) => {
      const server = feedback.serverOf(surface, place);
      return server === null ? surface : `${surface} ${server}`;
    },
    standing: async (community) => {
      const [surface = "", server = null] = community.split(" ");
      const found = feedback.solvedIn(surface, server).flatMap((key) => solvedIn(key) ?? []);
      const standing = [];
      for (const one of found)
        standing.push({ key: one.conversation, at: one.solved, isPublic: await isPublic(one) });
      return standing;
    },
    read: async (key) => {
      const one = solvedIn(key);
      if (one === null) return null;
      const address = await deps.link(one.surface, one.thread);
      if (address === null) return null;
      const words = store.words(one.said);
      const asked = maskSecrets(one.question.text);
      const said = one.said.map((message) => answerText(words.get(message))).join("\n\n");
      const [line = ""] = asked.trim().split("\n");
      return {
        key,
        address,
        title: line.slice(0, TITLE),
        text: `${asked}\n\n${maskSecrets(said)}`,
        state: "solved",
        at: one.solved,
      };
    },
  };
};
