/**
 * The bot of one of several hosts: what concerns a conversation is done by the host that has it, lists and posts come from
 * this host's own rows.
 *
 * FB1 a conversation is opened by its owner alone; whoever needs one that is free takes it first. FB2 where the owner goes
 * meanwhile, its successor is asked: what is said is claimed once (D20), what is decided once, and a stop twice is one.
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
import { retryOnNewOwner } from "./ask-again.ts";
import type { Homes } from "./homes.ts";
import type { Relay } from "./relay.ts";
import { storedDetail } from "./stored-detail.ts";

interface RoutedDeps {
  readonly homes: Homes;
  readonly others: Pick<OtherHosts, "name" | "call" | "look" | "fetch" | "caughtUp">;
  readonly relay: Pick<Relay, "subscribe">;
  readonly store: Pick<Store, "load" | "pendingQuestion" | "posts"> &
    Parameters<typeof createForgetPerson>[0];
  /** Conversations there are spread over the hosts; others stay where people first ask for them. */
  readonly spreads: (surface: string) => boolean;
  readonly clock: Clock;
  /** Of the database: what a client has heard of one host, it has heard of all. */
  readonly boot: string;
  /** Other hosts may ask this one for it. */
  readonly offer: (port: string, member: string, own: (...given: never) => Promise<unknown>) => void;
}

export interface RoutedBot extends Bot {
  /** Another host is to have the conversation; `stops` what it does, or is refused while it does something. Null: it has it. */
  give(id: ConversationId, to: string, stops: boolean): Promise<WriteFailure | null>;
}

export const createRoutedBot = (local: LocalBot, deps: RoutedDeps): RoutedBot => {
  const { homes, others, store, relay, clock } = deps;

  /** Null: there is no such conversation. */
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
      // It is on its way to another host.
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

  /** As it is stored, with what its owner knows besides. */
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

  /** What is to be cut cannot be said to another host: the conversation comes here. */
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
