/**
 * The Home tab: published when a person opens it, after each click in it, and soon after a question changes. A click passes the
 * same checks as one in the question's thread. Its reply stands at the top of the tab, because a tab has no private messages.
 */

import type { webApi } from "@slack/bolt";
import type { ConversationId, Millis } from "../../../src/machine/id.ts";
import type { ConversationChange } from "../../../src/ports/bot.ts";
import type { Chat, HandleResult } from "../../../src/ports/chat.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { clickAction } from "../../../src/ports/questions.ts";
import { type SendOutcome, whyOf } from "../../../src/ports/surface.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { formOf } from "../../post/controls.ts";
import { createReadCoalescer } from "../../post/reads.ts";
import { attemptSlackCall } from "../api/failure.ts";
import type { AppOpened, HomePress } from "../read/read.ts";
import { homeView } from "../write/home.ts";
import { type DecideSubmission, decideModal, openModal } from "./modals.ts";

/** Replaces the channel in a form that a click in the Home tab opened. */
export const HOME_PLACE = "home";

const PREFIX = "parley_";
/** Maximum number of people whose tab is updated, and the duration of updates after a person opens the tab. */
const MOST = 50;
const VISIBLE: Millis = 60 * 60_000;
const NOTE_LASTS: Millis = 60_000;
/** Questions often change several times at once. */
const SOON: Millis = 2_000;

interface HomeDeps extends Pick<ChatInbox, "say"> {
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly platform: ChatPlatform;
  readonly talk: (platform: ChatPlatform) => Pick<Chat, "home" | "clicked">;
}

interface Viewer {
  readonly openedAt: Millis;
  /** The published view as JSON. */
  readonly shown: string;
}

export type SlackHome = ReturnType<typeof createSlackHome>;

export const createSlackHome = ({ client, clock, log, platform, talk, say }: HomeDeps) => {
  const viewers = new Map<string, Viewer>();
  const notes = createLruCache<{ readonly text: string; readonly at: Millis }>(MOST);
  const waiting = new Map<ConversationId, string>();
  const publishes = createReadCoalescer<SendOutcome | null>();
  let isOff = false;
  let cancel: (() => void) | null = null;
  const chat = talk({
    ...platform,
    whisper: ({ person }, { text }) => {
      notes.set(person, { text, at: clock.now() });
      return Promise.resolve();
    },
  });

  const publish = (user: string): Promise<SendOutcome | null> => publishes(user, () => publishNow(user));

  const publishNow = async (user: string): Promise<SendOutcome | null> => {
    if (isOff) return null;
    const home = await chat.home(user);
    const note = notes.get(user);
    const text = note !== undefined && clock.now() - note.at < NOTE_LASTS ? note.text : null;
    const view = homeView(home, text);
    const shown = JSON.stringify(view);
    if (viewers.get(user)?.shown === shown) return null;
    let outcome = await send(user, view);
    // Links are enough to decide in the threads.
    if (outcome.kind === "refused" && outcome.permanent && !OFF.has(whyOf(outcome)))
      outcome = await send(user, homeView(home, text, true));
    const viewer = viewers.get(user);
    if (outcome.kind !== "done") failed(whyOf(outcome));
    else if (viewer !== undefined) viewers.set(user, { ...viewer, shown });
    return outcome;
  };

  const send = (user_id: string, view: ReturnType<typeof homeView>): Promise<SendOutcome> =>
    attemptSlackCall(async () => {
      await client.views.publish({ user_id, view });
      return { kind: "done", id: user_id };
    });

  const failed = (why: string): void => {
    isOff ||= OFF.has(why);
    if (isOff) log.info("slack: no Home tab; the app's manifest does not enable it", { why });
    else log.warn("slack: Home tab not published", { why });
  };

  const refresh = (): void => {
    cancel = null;
    for (const [user, { openedAt }] of viewers) {
      if (clock.now() - openedAt < VISIBLE) void publish(user);
      else viewers.delete(user);
    }
  };

  const click = async (
    id: string,
    person: string,
    { question: value, action }: Pick<DecideSubmission, "question"> & { readonly action: string },
    comment: string | null,
  ): Promise<HandleResult> => {
    const known = clickAction(action);
    // A feature's buttons belong to their messages.
    if (typeof known !== "string") return "done";
    const spot = { id, place: HOME_PLACE, root: null, direct: false, person, quiet: false };
    const result = await chat.clicked({ ...spot, action: known, value, comment });
    await publish(person);
    return result;
  };

  return {
    opened: async ({ user }: AppOpened): Promise<HandleResult> => {
      const shown = viewers.get(user)?.shown ?? "";
      viewers.delete(user);
      viewers.set(user, { openedAt: clock.now(), shown });
      for (const [oldest] of viewers) {
        if (viewers.size <= MOST) break;
        viewers.delete(oldest);
      }
      await publish(user);
      return "done";
    },

    pressed: async (id: string, read: HomePress): Promise<HandleResult> => {
      const { user, action, value, trigger } = read;
      if (!action.startsWith(PREFIX)) return "done";
      const name = action.slice(PREFIX.length).replace(/\/\d+$/, "");
      const form = formOf(name, say(HOME_PLACE));
      if (form === null) return click(id, user, { question: value, action: name }, null);
      const about = { channel: HOME_PLACE, root: null, question: value, action: form.action };
      const opened = await openModal({ client, log }, trigger, decideModal(about, form, say(HOME_PLACE)));
      return opened ? "done" : click(id, user, about, null);
    },

    submitted: (
      id: string,
      person: string,
      decided: DecideSubmission,
      comment: string | null,
    ): Promise<HandleResult> => click(id, person, decided, comment),

    /** Called after each commit. */
    heard: (id: ConversationId, change: ConversationChange): void => {
      if (change.kind !== "state" && change.kind !== "gone") return;
      const wire = change.kind === "gone" ? undefined : change.question?.wire;
      if (wire === waiting.get(id)) return;
      if (wire === undefined) waiting.delete(id);
      else waiting.set(id, wire);
      if (viewers.size > 0) cancel ??= clock.after(SOON, refresh);
    },

    close: (): void => {
      cancel?.();
      isOff = true;
    },
  };
};

/** The app's Home tab is off. */
const OFF: ReadonlySet<string> = new Set(["not_enabled"]);
