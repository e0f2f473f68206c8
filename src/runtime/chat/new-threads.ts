/** Attempts repeat until the platform opens the thread or refuses permanently. A crash creates no second thread (D6). */

import type { ConversationId, Millis, PersonId } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Place } from "../../ports/conversation.ts";
import { type Ledger, mayPass, whyOf } from "../../ports/surface.ts";
import type { NewThreads, OpenThreadResult, Opener, PrivateThreadResult } from "../../ports/threads.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { ChatDeps } from "./people/deps.ts";
import { pause } from "../../ports/host.ts";

/** Doubled after each further failure, up to LONGEST_WAIT. */
const WAIT: Millis = 1_000;
const LONGEST_WAIT: Millis = 60_000;

interface NewThreadsDeps extends Pick<ChatDeps, "name" | "languageAt" | "clock" | "log"> {
  readonly ledger: Pick<Ledger, "thread">;
  readonly chat: Pick<ChatStore, "joined" | "participants">;
  readonly opener: Opener;
}

export const createNewThreads = ({
  name,
  ledger,
  chat,
  opener,
  languageAt,
  clock,
  log,
}: NewThreadsDeps): NewThreads => ({
  open: async (parent, opening, signal) => {
    const known = ledger.thread(opening.key);
    if (known !== null) return { kind: "threaded", thread: known, link: await opener.link(known) };
    const from = ledger.thread(parent.id);
    if (from === null) return { kind: "refused", why: "the conversation has no thread here" };
    const speakers = chat.participants(parent.id).map(({ person }) => person);
    const people = [...new Set([...speakers, ...personOf(name, opening.by)])];
    for (let troubles = 0; !signal.aborted; troubles += 1) {
      const opened = await opener.open({ ...opening, from, people, say: sayIn(languageAt(from.place)) });
      const settled = settle(opened, parent.id, from);
      if (settled !== null) return settled;
      log.warn("thread: new thread not opened, retry scheduled", {
        conversation: opening.key,
        surface: name,
        why: "why" in opened ? opened.why : opened.kind,
      });
      await pause(clock, delayOf(opened, troubles), signal);
    }
    return { kind: "ended" };
  },

  joined: async (_from, id, by) => {
    for (const person of personOf(name, by)) {
      const joined = await chat.joined(id, { person, hinted: false });
      if (joined.kind === "failed") log.warn("thread: participants not stored", { code: joined.code });
    }
  },
});

const personOf = (name: string, id: PersonId): readonly string[] =>
  id.startsWith(`${name}:`) ? [id.slice(name.length + 1)] : [];

const settle = (
  opened: OpenThreadResult,
  parent: ConversationId,
  from: Place,
): PrivateThreadResult | null => {
  if (opened.kind !== "opened") return mayPass(opened) ? null : { kind: "refused", why: whyOf(opened) };
  const { thread, link } = opened;
  const isSame = thread.place === from.place && thread.root === from.root;
  return { kind: "threaded", thread: isSame ? { ...thread, after: parent } : thread, link };
};

const delayOf = (opened: OpenThreadResult, troubles: number): Millis =>
  opened.kind === "throttled" ? opened.retryAfter : Math.min(LONGEST_WAIT, WAIT * 2 ** troubles);
