/**
 * Forwards events of conversations to the hosts that display them: the leader for chat platforms, and any other host on which a
 * person has the conversation open.
 *
 * FR1 an event is sent after the rows that it refers to, because the receiving host reads these rows from its replica. FR2
 * while a host processes a batch, later events wait, and of streamed text only the newest is kept, so that a slow host costs
 * nothing.
 */

import { familyOf } from "../../../machine/agent.ts";
import type { ConversationId } from "../../../machine/id.ts";
import type { ConversationChange } from "../../../ports/bot.ts";
import type { HomeId } from "../ports/fleet.ts";
import type { NewsBatch, ConversationNews, OtherHosts } from "../ports/others.ts";
import type { Store } from "../../../ports/store.ts";
import type { Homes } from "./ownership.ts";
import { storedDetail } from "./stored-detail.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";

interface RelayDeps {
  readonly others: Pick<OtherHosts, "name" | "tell" | "follow">;
  readonly homes: Pick<Homes, "ownerOf" | "isMine">;
  readonly store: Pick<Store, "load" | "post" | "pendingQuestion">;
  /** Other host that displays the conversation; null if no other host does. */
  readonly shows: (id: ConversationId) => string | null;
  /** Called with a change in a conversation that another host has. */
  readonly heard: (id: ConversationId, change: ConversationChange) => void;
}

type Listener = (change: ConversationChange) => void;

/** Maximum number of conversations whose displaying host is cached. */
const KEPT = 1_000;

export type Relay = ReturnType<typeof createRelay>;

export const createRelay = (deps: RelayDeps) => {
  const { others, homes, store } = deps;
  const outgoing = new Map<string, (readonly [ConversationId, ConversationNews])[]>();
  const busy = new Set<string>();
  /** Hosts on which a person has the conversation open. */
  const followers = new Map<ConversationId, Set<string>>();
  /** Listeners on this host, for conversations of any host. */
  const listeners = new Map<ConversationId, Set<Listener>>();
  /** Host that was asked to report a conversation to this host. */
  const followed = new Map<ConversationId, string>();

  /**
   * Host that displayed a conversation at its last stored change. Cached, because streamed text arrives in very many pieces.
   */
  const shown = new Map<ConversationId, string | null>();

  const showing = (id: ConversationId, { kind }: ConversationChange): string | null => {
    const before = kind === "live" ? shown.get(id) : undefined;
    if (before !== undefined) return before;
    const host = deps.shows(id);
    if (shown.size >= KEPT) shown.clear();
    shown.set(id, host);
    return host;
  };

  const send = async (host: string): Promise<void> => {
    if (busy.has(host)) return;
    busy.add(host);
    for (;;) {
      const news = outgoing.get(host) ?? [];
      outgoing.delete(host);
      if (news.length === 0) break;
      if ((await others.tell(host, news)) === null) outgoing.delete(host);
    }
    busy.delete(host);
  };

  const tell = (host: string, id: ConversationId, told: ConversationNews): void => {
    const news = outgoing.get(host) ?? [];
    const last = news.at(-1);
    if (told.kind === "live" && last?.[0] === id && last[1].kind === "live") news.pop();
    news.push([id, told]);
    outgoing.set(host, news);
    // Sends all events of one turn of the event loop together.
    if (news.length === 1 && !busy.has(host)) setImmediate(() => void send(host));
  };

  const changeOf = (id: ConversationId, told: ConversationNews): ConversationChange | null => {
    if (told.kind === "posts") {
      const rows = told.keys.flatMap((key) => store.post(id, key) ?? []);
      return rows.length === 0 ? null : { kind: "posts", rows };
    }
    if (told.kind !== "state") return told;
    const stored = storedDetail(store, id);
    if (stored === null) return null;
    const { question, ...overview } = stored;
    return { ...told, overview, question };
  };

  const follow = (id: ConversationId, on: boolean): void => {
    const owner = homes.ownerOf(id);
    if (!on) followed.delete(id);
    if (owner === null || owner === others.name || (on && followed.get(id) === owner)) return;
    if (on) followed.set(id, owner);
    void others.follow(owner, id, on);
  };

  const bind = (id: ConversationId): void => {
    if (homes.isMine(id)) followed.delete(id);
    else follow(id, true);
  };

  return {
    /** Called after a change in a conversation that this host has. */
    happened: (id: ConversationId, change: ConversationChange): void => {
      for (const listener of listeners.get(id) ?? []) listener(change);
      const shows = showing(id, change);
      const hosts = new Set([...(followers.get(id) ?? []), ...(shows === null ? [] : [shows])]);
      if (hosts.size === 0) return;
      const told = toldOf(change);
      for (const host of hosts) tell(host, id, told);
    },
    take: (news: NewsBatch): void => {
      for (const [id, told] of news) {
        const change = changeOf(id, told);
        if (change === null) continue;
        deps.heard(id, change);
        // A late event from the previous owner.
        if (homes.isMine(id)) continue;
        for (const listener of listeners.get(id) ?? []) listener(change);
      }
    },
    /** Starts or ends the reports to another host. */
    followedBy: (id: ConversationId, host: string, on: boolean): void => {
      const hosts = followers.get(id) ?? new Set();
      if (on) hosts.add(host);
      else hosts.delete(host);
      if (hosts.size > 0) followers.set(id, hosts);
      else followers.delete(id);
    },
    /** Called when conversations have a new owner. */
    moved: (homes: ReadonlySet<HomeId>): void => {
      for (const id of listeners.keys()) if (homes.has(familyOf(id))) bind(id);
    },
    joined: (members: readonly string[]): void => {
      shown.clear();
      for (const [id, hosts] of followers) {
        for (const host of hosts) if (!members.includes(host)) hosts.delete(host);
        if (hosts.size === 0) followers.delete(id);
      }
      for (const id of listeners.keys()) bind(id);
    },
    subscribe: (id: ConversationId, listener: Listener): (() => void) => {
      const those = listeners.get(id) ?? new Set();
      listeners.set(id, those);
      those.add(listener);
      bind(id);
      return () => {
        if (!those.delete(listener) || those.size > 0) return;
        listeners.delete(id);
        if (followed.has(id)) follow(id, false);
      };
    },
  };
};

const toldOf = (change: ConversationChange): ConversationNews => {
  switch (change.kind) {
    case "posts":
      return { kind: "posts", keys: change.rows.map(({ post }) => post.key) };
    case "state": {
      const { kind, status, renamed } = change;
      return { kind, status, ...omitUndefined({ renamed }) };
    }
    case "live":
    case "progress":
    case "gone":
      return change;
  }
};
