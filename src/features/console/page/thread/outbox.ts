/**
 * Messages of one conversation that the host has not accepted: messages in transit, and messages that the host refused because
 * the agent was busy. A refused message stays in the thread until the person sends, edits or discards it.
 */

import { requestHost } from "../../../../../adapters/page/api.ts";
import { announce, h, icon, toast } from "../../../../../adapters/page/dom.ts";
import { say } from "../../../../../adapters/page/words.ts";
import type { MessageId } from "../../../../machine/id.ts";
import type { ActionResult, StateNews, WireWaiting } from "../../render/api-types.ts";
import { typedMessageBody } from "../api/requests.ts";
import type { Composer, TypedMessage } from "./composer.ts";
import { keepUnsent, listenForUnsent, type SendRefusal, type Unsent, unsent } from "./drafts.ts";
import { picturesView } from "./posts.ts";
import { showMarkdown } from "./markdown.ts";
import type { ChosenFile } from "./pictures.ts";

type Phase = StateNews["phase"];

const RESEND_EVERY = 2_000;

/** Refusals that end without an action, with the phases in which the refusal's sentence is true. */
const HELD: Readonly<Record<string, readonly Phase[]>> = {
  agent_busy: ["thinking", "running", "awaitingAgents", "summarizing"],
  awaiting_approval: ["awaitingApproval"],
  answer_held: ["awaitingApproval"],
  cancellation_in_progress: ["stopping"],
};

/** Phases in which *Stop and send this* sends and *Add to this turn* adds. */
const STOPPABLE: ReadonlySet<Phase> = new Set(["thinking", "running", "awaitingAgents", "awaitingApproval"]);

/** Phases in which a message can wait. */
const WAITABLE: ReadonlySet<Phase> = new Set([...STOPPABLE, "stopping"]);

/** Phases in which the host accepts a message. */
const FREE: ReadonlySet<Phase> = new Set(["idle", "failed"]);

interface OutboxPage {
  readonly composer: Composer;
  show(views: readonly HTMLElement[]): void;
  /** Null until the host has sent the state. */
  phase(): Phase | null;
  /** Messages that wait for the end of the turn, as the host has them. */
  waiting(): readonly WireWaiting[];
  stop(): void;
  remove(message: MessageId): void;
}

interface Entry extends Unsent {
  /** Null if the pictures were attached before this page was loaded. */
  readonly attached: readonly ChosenFile[] | null;
  /** Whether the person has clicked a button that sends the message. */
  readonly isLeaving?: true;
}

export const openOutbox = (
  conversation: string,
  { composer, show, phase, waiting, stop, remove: removeWaiting }: OutboxPage,
) => {
  const own = `/api/conversations/${conversation}`;
  const timers = new Set<number>();
  let closed = false;
  let entries: readonly Entry[] = unsent(conversation).map((one) => ({ ...one, attached: null }));

  const draw = () => {
    if (closed) return;
    show([
      ...waiting().map((one) => waitingView(one, removeWaiting)),
      ...entries.map((entry) =>
        isShownRefused(entry) ? refusedView(entry, phase(), on) : pendingView(entry),
      ),
    ]);
  };

  /** Replaces an entry, or adds it at the end. */
  const put = (entry: Entry, old: string = entry.id) => {
    const isKnown = entries.some(({ id }) => id === old);
    entries = isKnown ? entries.map((one) => (one.id === old ? entry : one)) : [...entries, entry];
    const { attached: _, isLeaving: __, ...kept } = entry;
    keepUnsent(conversation, old, kept);
    draw();
  };

  const remove = ({ id }: Entry) => {
    entries = entries.filter((one) => one.id !== id);
    keepUnsent(conversation, id, null);
    draw();
  };

  /** Puts the message into the field. The host does not return pictures, so pictures attached before a reload are lost. */
  const giveBack = (entry: Entry) => {
    remove(entry);
    composer.giveBack({ text: entry.text, pictures: entry.attached ?? [] });
    return entry.attached === null && entry.pictures > 0;
  };

  /** Sends the message, again with the same id until the host has answered. */
  const deliver = async (entry: Entry) => {
    const typed =
      entry.of === undefined ? typedMessageBody(entry.text, entry.attached ?? []) : { refused: entry.of };
    const answer = await requestHost("POST", `${own}/messages`, { id: entry.id, ...typed });
    if (closed) return;
    if (answer.kind === "offline" || (answer.kind === "refused" && answer.status >= 500)) {
      const timer: number = setTimeout(() => {
        timers.delete(timer);
        void deliver(entry);
      }, RESEND_EVERY);
      timers.add(timer);
      return;
    }
    if (answer.kind === "ok") remove(entry);
    else if (answer.status === 409 && answer.code in HELD) {
      put({ ...entry, refusal: { code: answer.code, reason: answer.message } });
      announce(say("Your message was not sent, because the agent was busy."));
    } else {
      if (answer.code === GONE) remove(entry);
      else giveBack(entry);
      toast(say.stored(answer.message));
    }
  };

  /**
   * The host stores a refused message, so the person's click sends the message once, even if a request or a response is lost.
   */
  const sendNow = async (entry: Entry, action: SendAction) => {
    put({ ...entry, isLeaving: true });
    const body = { action, refused: entry.id };
    const answer = await requestHost<ActionResult>("POST", `${own}/actions`, body);
    if (closed) return;
    const isSent = answer.kind === "ok" && answer.data.result !== "no_op";
    if (isSent || (answer.kind === "refused" && answer.code === GONE)) remove(entry);
    else put(entry);
    if (answer.kind !== "ok") toast(say.stored(answer.message));
    else if (!isSent) toast(say("Cancellation in progress. Send the message again in a moment."));
  };

  const on: RefusedActions = {
    send: (entry) => {
      const { refusal: _, ...rest } = entry;
      const again = { ...rest, id: nextId(entry.id), of: entry.id };
      put(again, entry.id);
      void deliver(again);
    },
    sendNow: (entry, action) => void sendNow(entry, action),
    stop,
    edit: (entry) => {
      if (giveBack(entry)) toast(say("The files were not stored; attach them again."));
      composer.focus();
    },
    discard: (entry) => {
      remove(entry);
      composer.focus();
    },
  };

  const unlisten = listenForUnsent(conversation, () => {
    const stored = unsent(conversation);
    const left = entries.filter(
      ({ id, refusal }) => refusal === undefined || stored.some((one) => one.id === id),
    );
    const others = stored.filter(
      ({ id, refusal }) => refusal !== undefined && !left.some((one) => one.id === id),
    );
    entries = [...left, ...others.map((one) => ({ ...one, attached: null }))];
    draw();
  });

  draw();
  for (const entry of entries) {
    if (entry.refusal !== undefined) continue;
    // Without its pictures the message would be a different one, so the person decides.
    if (entry.of !== undefined || entry.pictures === 0) void deliver(entry);
    else if (giveBack(entry))
      toast(say("The last message may not have been sent. The files were not stored; attach them again."));
  }

  return {
    send: ({ text, pictures }: TypedMessage) => {
      const entry = { id: crypto.randomUUID(), text, pictures: pictures.length, attached: pictures };
      put(entry);
      void deliver(entry);
    },
    /** Draws the buttons that fit the phase. */
    draw,
    close: () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      unlisten();
    },
  };
};

/** Error code of a refused message that has been sent or erased. */
const GONE = "unknown_message";

/** Returns the same id on each page that shows the refused message, so that two clicks send the message once. */
const nextId = (id: string): string => {
  const [, first = id, count = "1"] = /^(.+)\.(\d+)$/.exec(id) ?? [];
  return `${first}.${Number(count) + 1}`;
};

type RefusedEntry = Entry & { readonly refusal: SendRefusal };

const isShownRefused = (entry: Entry): entry is RefusedEntry =>
  entry.refusal !== undefined && entry.isLeaving === undefined;

const pendingView = (entry: Entry) =>
  h(
    "article.post.is-user.pending",
    { "aria-label": say("Your message, being sent"), "data-message": entry.id },
    saidView(entry),
    h("div.fine", say("Sending…")),
  );

type SendAction = "stop_and_send" | "send_when_done" | "add_to_turn";

interface RefusedActions {
  send(entry: Entry): void;
  sendNow(entry: Entry, action: SendAction): void;
  stop(): void;
  edit(entry: Entry): void;
  discard(entry: Entry): void;
}

const refusedView = (entry: RefusedEntry, phase: Phase | null, on: RefusedActions) => {
  const { code, reason } = entry.refusal;
  const isStill = phase !== null && (HELD[code] ?? []).includes(phase);
  const why = h("div.prose.small");
  if (isStill) showMarkdown(why, say.stored(reason));
  else why.append(say("Your message was not sent, because the agent was busy."));
  const isFree = phase !== null && FREE.has(phase);
  const canStop = phase !== null && STOPPABLE.has(phase);
  const canWait = phase !== null && WAITABLE.has(phase);
  // An answer under review accepts no addition.
  const canAdd = canStop && !(isStill && code === "answer_held");
  return h(
    "article.post.is-user.refused",
    { "aria-label": say("Your message, not sent"), "data-message": entry.id },
    saidView(entry),
    h("div.fine", say("Not sent")),
    h(
      "div.stack.panel.warning.soft.refusal",
      h("div.line", icon("alert"), why),
      h(
        "div.line.wrap",
        isFree ? button(say("Send"), () => on.send(entry)) : null,
        canStop ? button(say("Stop and send this"), () => on.sendNow(entry, "stop_and_send")) : null,
        canWait ? button(say("Send when done"), () => on.sendNow(entry, "send_when_done")) : null,
        canAdd ? button(say("Add to this turn"), () => on.sendNow(entry, "add_to_turn")) : null,
        canStop ? button(say("Stop"), on.stop) : null,
        button(say("Edit"), () => on.edit(entry)),
        button(say("Discard"), () => on.discard(entry)),
      ),
    ),
  );
};

const waitingView = ({ id, name, text }: WireWaiting, remove: (message: MessageId) => void) =>
  h(
    "article.post.is-user.pending",
    { "aria-label": say("Message that waits"), "data-message": id },
    h("div.said", { dir: "auto" }, text),
    h(
      "div.line.wrap.fine",
      h("span", say("@{name}'s message waits until the turn ends.", { name })),
      button(say("Remove"), () => remove(id)),
    ),
  );

const button = (label: string, act: () => void) => h("button.small", { onclick: act }, label);

const saidView = ({ text, pictures, attached }: Entry) =>
  h(
    "div.said",
    { dir: "auto" },
    text,
    attached === null
      ? unseenFiles(pictures)
      : [
          picturesView(attached.flatMap(({ preview }) => preview ?? [])),
          unseenFiles(attached.filter(({ preview }) => preview === null).length),
        ],
  );

/** The page has no preview of files, or of pictures that were attached before a reload. */
const unseenFiles = (count: number) =>
  count === 0 ? null : h("div.fine", count === 1 ? say("1 file") : say("{count} files", { count }));
