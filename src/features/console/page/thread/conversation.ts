/** One open conversation: shows events from the host, and sends the person's actions to the host. */

import { requestHost } from "../../../../../adapters/page/api.ts";
import { type PageAction, POSTS } from "../api/requests.ts";
import type { ActionResult, PostPage, StateNews, WirePost, WireQuestion } from "../../render/api-types.ts";
import { announce, toast } from "../../../../../adapters/page/dom.ts";
import type { Composer, TypedMessage } from "./composer.ts";
import { openOutbox } from "./outbox.ts";
import { clock } from "../../../../../adapters/page/format.ts";
import { openStream, type StreamHandlers } from "./stream.ts";
import type { ThreadView } from "./thread.ts";
import { say } from "../../../../../adapters/page/words.ts";

const WORKING: ReadonlySet<StateNews["phase"]> = new Set([
  "thinking",
  "running",
  "awaitingAgents",
  "summarizing",
  "stopping",
]);

interface PageParts {
  readonly thread: ThreadView;
  readonly composer: Composer;
  changed(): void;
  connected(yes: boolean): void;
  met(id: string): void;
}

export type OpenConversation = ReturnType<typeof openConversation>;

interface Shown {
  state: StateNews | null;
  question: WireQuestion | null;
  progress: string | null;
  since: number | null;
}

export const openConversation = (id: string, page: PageParts) => {
  const { thread, composer } = page;
  const own = `/api/conversations/${id}`;
  const self: Shown = { state: null, question: null, progress: null, since: null };
  let closed = false;
  /** Ordinal of the first shown post, if earlier posts exist. */
  let first: number | null = null;
  /** Posts before `first` that have changed since the snapshot. */
  const unshown = new Map<string, WirePost>();
  let asking = false;

  const on: StreamHandlers["on"] = {
    snapshot: ({ posts, earlier = null, question, live, ...state }) => {
      setState(state);
      self.question = question ?? null;
      self.progress = null;
      first = earlier;
      unshown.clear();
      thread.reset(posts, first !== null);
      thread.setLive(live);
      outbox.draw();
    },
    state: (state) => {
      setState(state);
      if (!WORKING.has(state.phase)) self.progress = null;
      outbox.draw();
    },
    post: (post) => {
      if (first !== null && post.ordinal < first) {
        unshown.set(post.key, post);
        return;
      }
      if (post.kind === "answer" && !thread.has(post.key)) {
        thread.setLive("");
        announce(say("Parley has answered."));
      }
      thread.put(post);
      if ("thread" in post && post.thread !== undefined) page.met(post.thread);
    },
    live: ({ text }) => thread.setLive(text),
    question: ({ question }) => {
      self.question = question;
      if (question !== null) announce(say("Parley asks for write access. Approve or deny it in the thread."));
      thread.redrawOpen();
    },
    progress: ({ line }) => {
      self.progress = line;
    },
  };

  const setState = (state: StateNews) => {
    if (state.phase !== self.state?.phase)
      self.since = WORKING.has(state.phase) ? (self.since ?? Date.now()) : null;
    self.state = state;
  };

  /** Position of the first visible post, if there are earlier posts. */
  const earliest = (): number | null => (closed ? null : first);

  /** Changes that arrived before an earlier post was shown are newer than the response. */
  const showEarlier = async () => {
    if (first === null || asking) return;
    const before = first;
    asking = true;
    const path = `${own}/posts?last=${POSTS}&before=${before}`;
    const answer = await requestHost<PostPage>("GET", path);
    asking = false;
    if (closed || first !== before) return;
    if (answer.kind !== "ok") {
      toast(say.stored(answer.message));
      return;
    }
    const { posts, earlier = null } = answer.data;
    first = earlier;
    thread.prepend(
      posts.map((post) => unshown.get(post.key) ?? post),
      first !== null,
    );
  };

  const send = (message: TypedMessage) => {
    outbox.send(message);
    thread.follow("instant");
  };

  /** Every click gets a visible response. */
  const act = async (body: PageAction) => {
    const answer = await requestHost<ActionResult>("POST", `${own}/actions`, body);
    if (answer.kind !== "ok") {
      toast(say.stored(answer.message));
      return false;
    }
    const { result, by, at } = answer.data;
    if (result === "already_decided")
      toast(alreadyText(by === "console:operator" ? say("you") : (by ?? ""), at));
    if (result === "no_op" && body.action === "continue")
      toast(say("This conversation already continues in a new thread."));
    if (result === "no_op" && body.action === "deeper")
      toast(say("The thread has newer messages than that answer. Ask again instead."));
    if (result === "no_op" && body.action === "remove_waiting") toast(say("This message no longer waits."));
    if (result === "expired") toast(say("This question is no longer open."));
    return true;
  };

  const stop = () => void act({ action: "stop" });

  const outbox = openOutbox(id, {
    composer,
    show: thread.showOutbox,
    phase: () => self.state?.phase ?? null,
    waiting: () => self.state?.waiting ?? [],
    stop,
    remove: (message) => void act({ action: "remove_waiting", message }),
  });

  const close = openStream(id, {
    on,
    heard: (event) => {
      if (event !== "live" && event !== "post") page.changed();
    },
    connected: page.connected,
    busy: () => self.state === null || self.state.phase !== "idle",
  });
  return Object.assign(self, {
    id,
    send,
    ask: (text: string) => send({ text, pictures: [] }),
    act,
    decide: async (
      question: WireQuestion,
      { id: choice, commits, option }: Pick<WireQuestion["choices"][number], "id" | "commits" | "option">,
      text: string,
    ) => {
      const batch = {
        ...(commits === undefined ? {} : { commits }),
        ...(option === undefined ? {} : { option }),
      };
      await act({ action: "decide", question: question.id, choice, text, ...batch });
    },
    showEarlier: () => void showEarlier(),
    /** Loads all posts, for printing and for other readers of the page. */
    showAll: async () => {
      let before: number | null = null;
      while (earliest() !== before) {
        before = earliest();
        await showEarlier();
      }
    },
    stop,
    working: () => self.state !== null && WORKING.has(self.state.phase),
    close: () => {
      closed = true;
      outbox.close();
      close();
    },
  });
};

const alreadyText = (by: string, at: number | undefined): string => {
  const decided = say("decided");
  return at === undefined
    ? say("Already {decided} by {by}.", { decided, by })
    : say("Already {decided} by {by} at {time}.", { decided, by, time: clock(at) });
};
