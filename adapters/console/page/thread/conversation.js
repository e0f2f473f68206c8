/** One open conversation: what the host says is shown, what a person does is said to the host. */

import * as api from "../api.js";
import { announce, toast } from "../dom.js";
import { keepUnsent, unsent } from "./drafts.js";
import { clock, person } from "./format.js";
import { openStream } from "./stream.js";

const RETRY_EVERY = 2_000;
const WORKING = new Set(["thinking", "running", "awaitingAgents", "summarizing", "stopping"]);

/** `page`: thread, composer, `changed()` (state to draw), `connected(yes)`, `met(id)` (of another thread). */
export const openConversation = (id, page) => {
  const { thread, composer } = page;
  const self = { id, state: null, question: null, progress: null, since: null };
  let retry = null;
  let closed = false;

  const on = {
    snapshot: (data) => {
      const { posts, question, live, ...state } = data;
      setState(state);
      self.question = question ?? null;
      self.progress = null;
      thread.reset(posts);
      thread.setLive(live);
      showUnsent();
    },
    state: (state) => {
      setState(state);
      if (!WORKING.has(state.phase)) self.progress = null;
      if (["idle", "failed", "exhausted"].includes(state.phase)) composer.hideBusy();
    },
    post: (post) => {
      if (post.kind === "answer" && !thread.has(post.key)) {
        thread.setLive("");
        announce("The agent has answered.");
      }
      thread.put(post);
      if (post.thread !== undefined) page.met(post.thread);
    },
    live: ({ text }) => thread.setLive(text),
    question: ({ question }) => {
      self.question = question;
      if (question !== null) announce("The agent asks for write access. Approve or deny it in the thread.");
      thread.redrawOpen();
    },
    progress: ({ line }) => {
      self.progress = line;
    },
  };

  const setState = (state) => {
    if (state.phase !== self.state?.phase)
      self.since = WORKING.has(state.phase) ? (self.since ?? Date.now()) : null;
    self.state = state;
  };

  /** Without its pictures it would be another message: the person decides. */
  const takeBack = (message) => {
    keepUnsent(id, null);
    composer.giveBack({ text: message.text });
    toast("The last message may not have been sent. Its pictures were not kept; attach them again.");
  };

  const showUnsent = () => thread.showSending(unsent(id));

  /** Until the host has answered, the message is kept and sent again with its id. */
  const deliver = async (message) => {
    clearTimeout(retry);
    const { id: messageId, text, images = [] } = message;
    const answer = await api.say(id, { id: messageId, text, ...(images.length === 0 ? {} : { images }) });
    if (closed) return;
    if (answer.kind === "offline" || answer.status >= 500) {
      retry = setTimeout(() => void deliver(message), RETRY_EVERY);
      return;
    }
    keepUnsent(id, null);
    thread.showSending(null);
    if (answer.kind === "ok") return;
    composer.giveBack(message);
    if (answer.status === 409 && answer.code !== "context_exhausted")
      composer.showBusy(answer.message, answer.code !== "cancellation_in_progress");
    else toast(answer.message);
  };

  const send = (message) => {
    const known = { ...message, id: crypto.randomUUID() };
    keepUnsent(id, known);
    thread.showSending(known);
    thread.follow("instant");
    void deliver(known);
  };

  /** Every click gets a visible answer. */
  const act = async (body) => {
    const answer = await api.act(id, body);
    if (answer.kind !== "ok") {
      toast(answer.message);
      return false;
    }
    const { result, by, at } = answer.data;
    if (result === "already_decided")
      toast(`Already decided by ${by === "console:operator" ? "you" : person(by)} at ${clock(at)}.`);
    if (result === "no_op" && body.action === "continue") toast("It goes on in a new thread already.");
    if (result === "expired") toast("This question is no longer open.");
    return true;
  };

  const close = openStream(id, {
    on: (name, data) => {
      on[name](data);
      if (name !== "live" && name !== "post") page.changed();
    },
    connected: page.connected,
    busy: () => self.state === null || self.state.phase !== "idle",
  });
  const left = unsent(id);
  if (left !== null && left.pictures === 0) void deliver({ id: left.id, text: left.text, images: [] });
  else if (left !== null) takeBack(left);

  return Object.assign(self, {
    send,
    act,
    decide: (question, choice, text) =>
      act({ action: "decide", question: question.id, choice, ...(text === "" ? {} : { text }) }),
    stop: () => void act({ action: "stop" }),
    stopAndSend: async ({ text, images, ...rest }) => {
      const done = await act({ action: "stop_and_send", text, ...(images.length === 0 ? {} : { images }) });
      if (!done) composer.giveBack({ text, ...rest });
    },
    working: () => self.state !== null && WORKING.has(self.state.phase),
    close: () => {
      closed = true;
      clearTimeout(retry);
      close();
    },
  });
};
