/**
 * Ends each look with one line of the host below the answer: who owns the cited code, and buttons. The line is posted once, also
 * over a crash: its id is the conversation's, and a start ends the looks that have no line yet, one after the other.
 */

import { DAY, HOUR, type ConversationId, type Millis } from "../../machine/id.ts";
import type { Core } from "../../feature.ts";
import type { ConversationChange } from "../../ports/bot.ts";
import { pause } from "../../ports/host.ts";
import { ownerIdsOf } from "../../thread/owners.ts";
import { finalAnswer } from "../../thread/turn-post.ts";
import type { State } from "../../machine/state.ts";
import { watchOf } from "./begin.ts";
import type { PeopleSource, Watch, WatchRows, WatchThread } from "./store/watches.ts";
import { untilConnected } from "./people/connected.ts";
import { type CodePeople, codePeopleOf, placesIn } from "./people/code-people.ts";
import { lookEndLine } from "./look-lines.ts";

interface LookEndDeps
  extends Pick<
    Core,
    "bot" | "answers" | "commits" | "repos" | "ledger" | "surfaces" | "owners" | "clock" | "log"
  > {
  readonly rows: Pick<WatchRows, "thread" | "unended" | "ended">;
  readonly watches: () => readonly Watch[];
}

/** Time that the deliverer gets to post the answer first. */
const DELIVERS: Millis = 10_000;
const LOOKS: Millis = 100;
const AGAIN: readonly Millis[] = [1_000, 5_000, 30_000];

export const createLookEnds = (deps: LookEndDeps) => {
  const { bot, rows, clock, log } = deps;
  const ending = new AbortController();
  const running = new Map<ConversationId, Promise<void>>();
  let left: Promise<void> = Promise.resolve();

  const watchFor = ({ event }: WatchThread): (Watch & { readonly source: PeopleSource }) | null => {
    const watch = deps.watches().find(({ id }) => id === event.watch);
    return watch?.source.kind === "people" ? { ...watch, source: watch.source } : null;
  };

  const end = async (thread: WatchThread): Promise<void> => {
    const watch = watchFor(thread);
    const { person, post: root } = thread.event;
    if (watch === null || person === undefined || root === undefined) return;
    const { conversation } = thread;
    const read = await bot.read(conversation);
    // Somebody has taken over.
    if (read === null || !isByWatch(read.state)) return;
    const body = read.posts.flatMap(({ post }) => (post.body.kind === "turn" ? [post.body] : [])).at(-1);
    const message = body === undefined ? null : finalAnswer(body);
    if (message === null) return;
    await delivered(watch.surface, conversation);
    const citations = deps.answers.answer({ conversation, message })?.citations ?? [];
    const repo = deps.repos.usable(read.conversation.repo);
    const people =
      repo === null
        ? []
        : await codePeopleOf(deps.commits, repo, placesIn(citations), clock.now() - HOUR, ending.signal);
    const surface = deps.surfaces().find(({ name }) => name === watch.surface);
    if (surface === undefined || surface.off !== null) return;
    await untilConnected(surface, clock, ending.signal);
    if (ending.signal.aborted) return;
    const notified = watch.source.notifyOwners ? notifiedOf(deps, people) : [];
    const line = lookEndLine(watch.surface, conversation, people, notified, surface.say(person.place));
    for (const wait of [0, ...AGAIN]) {
      await pause(clock, wait, ending.signal);
      if (ending.signal.aborted) return;
      const put = await surface.tell(person.place, { id: `look/${conversation}`, root, ...line });
      if (put.kind === "put") return void (await rows.ended(conversation));
      log.warn("watches: end of a look not posted", { watch: watch.id, why: put.why });
    }
  };

  const delivered = async (surface: string, conversation: ConversationId): Promise<void> => {
    const isBehind = (): boolean =>
      deps.ledger.behind(surface).some((thread) => thread.conversation === conversation);
    const until = clock.now() + DELIVERS;
    while (isBehind() && clock.now() < until && !ending.signal.aborted)
      await pause(clock, LOOKS, ending.signal);
  };

  const begin = async (thread: WatchThread): Promise<void> => {
    const { conversation } = thread;
    if (running.has(conversation) || ending.signal.aborted) return;
    const done = end(thread).finally(() => running.delete(conversation));
    running.set(conversation, done);
    await done;
  };

  const endLeft = async (): Promise<void> => {
    const since = clock.now() - DAY;
    for (const { id, source } of deps.watches())
      if (source.kind === "people") for (const thread of rows.unended(id, since)) await begin(thread);
  };

  return {
    /** Called when a turn of a watch has ended with an answer. */
    ended: (conversation: ConversationId): void => {
      const thread = rows.thread(conversation);
      if (thread?.event.person !== undefined) void begin(thread);
    },
    /** Ends looks that the last process has left. */
    start: (): void => {
      left = endLeft();
    },
    close: async (): Promise<void> => {
      ending.abort();
      await Promise.all([left, ...running.values()]);
    },
  };
};

const isByWatch = ({ turn: { speaker } }: Pick<State, "turn">): boolean =>
  speaker !== null && watchOf(speaker.id) !== null;

/** Whether a turn of a watch has ended with an answer. */
export const isLookOver = (change: ConversationChange): boolean =>
  change.kind === "state" &&
  change.overview.state.phase.kind === "idle" &&
  change.overview.state.turn.end?.why === "answered" &&
  isByWatch(change.overview.state);

/** People and groups of the operator's table, for owners whom the table lists. */
const notifiedOf = ({ owners }: Pick<Core, "owners">, people: readonly CodePeople[]): readonly string[] => [
  ...new Set(
    owners === undefined
      ? []
      : people.flatMap((one) => one.owners.flatMap((owner) => ownerIdsOf(owners, owner) ?? [])),
  ),
];
