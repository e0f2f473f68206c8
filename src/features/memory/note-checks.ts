/**
 * Checks notes on the leader: cited code after each push and every hour, and the age of notes that cite nothing. The author of
 * a note that is not used any more, or that is due, gets one private line.
 */

import { createHash } from "node:crypto";
import type { Core } from "../../feature.ts";
import type { Millis } from "../../machine/id.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { PrivateNote } from "../../ports/surface.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import type { Say } from "../../i18n/say.ts";
import type { CitedCode } from "./cited-code.ts";
import type { ChannelMemory } from "./memory.ts";
import { type ChannelNote, isDue, isUsable, shownNote } from "./note.ts";
import type { NoteRows } from "./rows.ts";

interface CheckDeps extends Pick<Core, "clock" | "log" | "randomId"> {
  readonly chat: Pick<Core["chat"], "binding">;
  readonly ledger: Pick<Core["ledger"], "thread">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "standing" | "say" | "answer">[];
  readonly rows: Pick<NoteRows, "edit" | "note">;
  readonly memory: Pick<ChannelMemory, "all">;
  readonly code: Pick<CitedCode, "check">;
}

/** Lets more urgent work run first after a start. */
const FIRST: Millis = 60_000;
const EVERY: Millis = 60 * 60_000;
const FRESH: Millis = 60_000;

export const createNoteChecks = (deps: CheckDeps) => {
  const { chat, clock, ledger, log, randomId, surfaces, rows, memory, code } = deps;
  /** Whether a push arrived since the last round. */
  let isPushed = false;

  const repoOf = ({ surface, place, repo }: ChannelNote): Repo | null => {
    const bound = chat.binding(surface, place)?.repo ?? null;
    return bound !== null && (repo === null || repo === bound.location) ? bound : null;
  };

  const look = async (note: ChannelNote, repo: Repo, since: Millis): Promise<void> => {
    const found = await code.check(note, repo, since);
    if (found === null || found.commit === note.looked) return;
    const stale = found.gone;
    const deed =
      stale === null ? null : { id: randomId(), at: clock.now(), what: "stale" as const, person: null };
    const current = rows.note(note.id);
    // The note may have been edited or removed while its code was read.
    if (current === null || current.text !== note.text) return;
    const done = await rows.edit(
      current,
      { looked: found.commit, stale, ...(stale === null ? {} : { asked: null }) },
      deed,
    );
    if (done.kind === "failed") log.warn("memory: check of a note not stored", { code: done.code });
  };

  const ask = async (note: ChannelNote): Promise<void> => {
    const surface = surfaces().find(({ name }) => name === note.surface);
    if (surface?.standing() !== "on") return;
    const [platform, person = ""] = note.author.id.split(":");
    // The operator adds notes for channels too, and reads in the console which are not used.
    if (platform !== note.surface) return;
    const thread = note.source === null ? null : ledger.thread(note.source);
    const to = { place: note.place, root: thread?.place === note.place ? thread.root : null, person };
    const key = createHash("sha256")
      .update(`${note.id} ${note.sure} ${note.stale ?? ""}`)
      .digest("hex")
      .slice(0, 24);
    const sent = await surface.answer(to, privateLine(note, surface.say(note.place)), {
      key,
      replaces: null,
    });
    if (sent.kind !== "done" && sent.kind !== "gone" && !(sent.kind === "refused" && sent.permanent)) return;
    const done = await rows.edit(note, { asked: clock.now() }, null);
    if (done.kind === "failed") log.warn("memory: question about a note not stored", { code: done.code });
  };

  const rounds = createRepeatingTask(clock, async () => {
    const since = isPushed ? clock.now() : clock.now() - FRESH;
    isPushed = false;
    for (const note of memory.all()) {
      if (rounds.ending.aborted) return;
      const repo = repoOf(note);
      if (note.cited.length > 0 && repo !== null && isUsable(note, clock.now()))
        await look(note, repo, since);
    }
    for (const note of memory.all()) {
      if (rounds.ending.aborted) return;
      const isUntold = note.stale !== null && note.asked === null;
      if (isUntold || isDue(note, clock.now())) await ask(note);
    }
    rounds.wakeAfter(EVERY);
  });

  return {
    pushed: (): void => {
      isPushed = true;
      rounds.wake();
    },
    start: () => {
      rounds.wakeAfter(FIRST);
      return { close: () => Promise.resolve() };
    },
    /** Settles when the current round has ended. */
    settled: rounds.settled,
    close: rounds.close,
  };
};

const privateLine = ({ id, number, text, stale }: ChannelNote, say: Say): PrivateNote => ({
  text:
    stale === null
      ? say("Your note {number} is 90 days old: “{text}” Is it still true?", {
          number,
          text: shownNote(text),
        })
      : say("Your note {number} is not used any more, because {code} changed: “{text}”", {
          number,
          code: shownNote(stale),
          text: shownNote(text),
        }),
  buttons: [
    { action: { feature: "confirm_note" }, label: say("Still true"), value: id },
    { action: { feature: "forget_note" }, label: say("Forget"), value: id },
  ],
});
