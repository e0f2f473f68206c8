/**
 * The bot of one of several hosts: requests about a conversation go to its owner; lists and posts are read from this host's
 * rows.
 *
 * FB1 only the owner opens a conversation; a host that needs a free conversation takes it first. FB2 if the owner ends during a
 * request, its successor is asked: a message is claimed once (D20), a decision counts once, and a second stop has no effect.
 */

import type { ConversationId } from "../../../machine/id.ts";
import {
  type ActResult,
  type Bot,
  type Detail,
  type RunAtOwner,
  ownedMembers,
  type OwnerAnswers,
} from "../../../ports/bot.ts";
import type { OwnerReply } from "../ports/fleet.ts";
import type { OtherHosts, LiveSnapshot } from "../ports/others.ts";
import type { Clock, WriteFailure } from "../../../ports/host.ts";
import type { LocalBot } from "../../../ports/ownership.ts";
import type { Store } from "../../../ports/store.ts";
import { view } from "../../../thread/view.ts";
import { createForgetPerson } from "../../../runtime/bot/forget-person.ts";
import { retryOnNewOwner } from "./retry-on-new-owner.ts";
import type { Homes } from "./ownership.ts";
import type { Relay } from "./relay.ts";
import { storedDetail } from "./stored-detail.ts";

interface RoutedDeps {
  readonly homes: Homes;
  readonly others: Pick<OtherHosts, "name" | "call" | "look" | "fetch" | "caughtUp">;
  readonly relay: Pick<Relay, "subscribe">;
  readonly store: Pick<Store, "load" | "pendingQuestion" | "posts"> &
    Parameters<typeof createForgetPerson>[0];
  /**
   * Whether new work of the surface is spread over the hosts. Otherwise a free conversation stays with the host that receives
   * the first request.
   */
  readonly spreads: (surface: string) => boolean;
  readonly clock: Clock;
  /** Id of the shared database: a client that has seen one host's data has seen all. */
  readonly boot: string;
  /** Lets other hosts call this host's method. */
  readonly offer: (port: string, member: string, own: (...given: never) => Promise<unknown>) => void;
}

export interface RoutedBot extends Bot {
  /**
   * Hands the conversation over to another host. `stops`: whether running work is stopped; otherwise the call is refused while
   * work runs. Null on success.
   */
  give(id: ConversationId, to: string, stops: boolean): Promise<WriteFailure | null>;
}

export const createRoutedBot = (local: LocalBot, deps: RoutedDeps): RoutedBot => {
  const { homes, others, store, relay, clock } = deps;

  /** Null if the conversation does not exist. */
  const owner = async (id: ConversationId): Promise<string | null | WriteFailure> => {
    const known = homes.ownerOf(id);
    if (known !== null) return known;
    if (store.load(id) === null) await others.caughtUp();
    const stored = store.load(id);
    if (stored === null) return null;
    return homes.take(id, deps.spreads(stored.conversation.surface) ? homes.spread(id) : others.name);
  };

  const route = async <Answer>(
    id: ConversationId,
    asked: (owner: string) => Promise<OwnerReply<Answer> | null>,
    here: () => Promise<Answer>,
    { failed, isUnknown }: OwnerAnswers<Answer>,
  ): Promise<Answer> => {
    const told = await retryOnNewOwner<Answer>(clock, async () => {
      const host = await owner(id);
      if (host === null) return { answer: await here() };
      if (typeof host !== "string") return { answer: failed(host) };
      const answered = host === others.name ? { answer: await here() } : await asked(host);
      // The conversation is on its way to another host.
      const isPassing = answered !== null && isUnknown(answered.answer) && store.load(id) !== null;
      return isPassing ? null : answered;
    });
    return told === null ? failed(AWAY) : told.answer;
  };

  const owned: RunAtOwner = (member, own, answers) => {
    deps.offer("bot", member, own);
    return (...given) => {
      const [first] = given;
      const id = typeof first === "string" ? first : first.conversation;
      return route(
        id,
        (host) => others.call(host, "bot", member, given),
        () => own(...given),
        answers,
      );
    };
  };

  const read = (id: ConversationId): Promise<Detail | null> =>
    route<Detail | null>(
      id,
      async (host) => {
        const seen = await others.look(host, id);
        return seen === null ? null : { answer: detailOf(id, seen.answer) };
      },
      () => local.read(id),
      { failed: () => detailOf(id, null), isUnknown: (answer) => answer === null },
    );

  /** The stored conversation, plus the facts that only its owner has. */
  const detailOf = (id: ConversationId, seen: LiveSnapshot | null): Detail | null => {
    const stored = storedDetail(store, id);
    if (stored === null) return null;
    return {
      ...stored,
      get posts() {
        return store.posts(id, 0);
      },
      status: view(stored.state, []).status,
      live: "",
      ...seen,
    };
  };

  /** Brings the conversation to this host first, because the cut texts cannot be sent to another host. */
  const forget: LocalBot["forget"] = (id, request, copies) =>
    route<ActResult>(
      id,
      async (host) => {
        await others.fetch(host, id);
        return null;
      },
      () => local.forget(id, request, copies),
      { failed: (failure) => failure, isUnknown: ({ kind }) => kind === "unknown" },
    );

  return {
    ...local,
    boot: deps.boot,
    ...ownedMembers(local, owned),
    read,
    forget,
    forgetPerson: createForgetPerson(store, forget, local.forgotten),
    subscribe: (id, listener) => relay.subscribe(id, listener),
    give: (id, to, stops) => local.give(id, stops, () => homes.give(id, to)),
  };
};

const AWAY: WriteFailure = {
  kind: "failed",
  code: "io",
  message: "The host that has this conversation does not answer. Try again in a moment.",
};
