/**
 * Progress as Slack's native streams (D21): started, appended to, removed with their turn. Where the workspace or the
 * person does not take one, progress is a message that is edited: then nothing is streamed for an hour.
 *
 * Remembers what each streamed message shows, in memory alone: after a restart all of them are removed.
 */

import { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Operation, Outcome } from "../../../src/ports/surface.ts";
import { made } from "../../post/trouble.ts";
import type { Identity } from "../listen/identity.ts";
import { blocksOf } from "./blocks.ts";
import { troubleOf } from "./failure.ts";
import { type Chunks, createChunks } from "./stream-chunks.ts";

/** Slack ends a stream after about five minutes, whatever is appended (hazard S6). */
const LASTS: Millis = 240_000;
const LATCHED_FOR: Millis = 60 * 60_000;

type Show = Operation & { readonly kind: "status" };

export interface Streams {
  /** Null where this progress is not a stream and has to be posted or edited. */
  show(operation: Show): Promise<Outcome | null>;
  /** The message is removed. */
  forget(wire: string): void;
  /** Whether a stream of that bot (`B…`) is one of ours; null while it is not known who we are. */
  isOurs(bot: string): boolean | null;
}

interface StreamDeps {
  readonly client: webApi.WebClient;
  /** Null until Slack has said who the bot is. */
  readonly self: () => Identity | null;
  readonly clock: Clock;
  readonly log: Log;
}

export const createStreams = ({ client, self, clock, log }: StreamDeps): Streams => {
  /** Null: it was begun, and what became of that is not known. */
  const streams = new Map<string, Chunks | null>();
  /** People without streams; EVERYBODY for the workspace. */
  const latched = new Map<string, () => void>();

  const start = async (
    operation: Show,
    team: string,
    user: string,
    chunks: Chunks,
  ): Promise<Outcome | null> => {
    const { thread, wire, progress, content } = operation;
    if (progress === undefined) return null;
    streams.set(wire, null);
    const controls = blocksOf({ tone: "status", text: "", buttons: content.buttons });
    try {
      const answer = await client.chat.startStream({
        channel: thread.place,
        thread_ts: thread.root,
        recipient_team_id: team,
        recipient_user_id: user,
        task_display_mode: "plan",
        chunks: [
          ...(controls.length === 0 ? [] : [{ type: "blocks" as const, blocks: controls }]),
          ...(made(() => chunks.next(progress)) ?? []),
        ],
      });
      if (answer.ts === undefined) return { kind: "unknown", why: "no usable answer came" };
      chunks.arrived();
      streams.set(wire, chunks);
      return { kind: "done", id: answer.ts, lasts: LASTS };
    } catch (error) {
      const latch = latchFor(error, user);
      if (latch === null) return troubleOf(error);
      streams.delete(wire);
      hold(latch);
      return null;
    }
  };

  const hold = ({ whom, why, wait }: Latch): void => {
    log.info("Slack takes no stream: progress is edited instead", { why });
    latched.get(whom)?.();
    latched.set(
      whom,
      clock.after(wait, () => void latched.delete(whom)),
    );
  };

  const append = async ({ thread, progress }: Show, id: string, chunks: Chunks): Promise<Outcome> => {
    const more = progress === undefined ? [] : made(() => chunks.next(progress));
    if (more === null) return { kind: "done", id, lasts: 0 };
    if (more.length === 0) return { kind: "done", id };
    try {
      await client.chat.appendStream({ channel: thread.place, ts: id, chunks: [...more] });
      chunks.arrived();
      return chunks.isFull() ? { kind: "done", id, lasts: 0 } : { kind: "done", id };
    } catch (error) {
      // The person who stopped it stops the turn as well, by an event of its own.
      if (codeOf(error) === "stopped_by_user") return { kind: "done", id };
      const trouble = troubleOf(error);
      // What else goes wrong leaves open whether the message has got it.
      return trouble.kind === "throttled" || trouble.kind === "gone"
        ? trouble
        : { kind: "done", id, lasts: 0 };
    }
  };

  return {
    show: async (operation) => {
      const { wire, id, progress } = operation;
      const known = streams.get(wire);
      if (id !== null) {
        if (known === undefined) return null;
        return known === null ? { kind: "done", id, lasts: 0 } : append(operation, id, known);
      }
      const user = /^slack:(.+)$/.exec(progress?.asker ?? "")?.[1];
      const bot = self();
      if (progress === undefined || user === undefined || bot === null) return null;
      if (latched.has(EVERYBODY) || latched.has(user)) return null;
      return start(operation, bot.team, user, createChunks(progress));
    },
    forget: (wire) => void streams.delete(wire),
    isOurs: (bot) => {
      const known = self();
      return known === null ? null : known.bot === bot;
    },
  };
};

const EVERYBODY = "";

/** Refusals that concern the one person who would see the stream. */
const OF_PERSON = new Set([
  "user_not_found",
  "team_not_found",
  "missing_recipient_team_id",
  "missing_recipient_user_id",
]);

const codeOf = (error: unknown): string | null =>
  error instanceof webApi.WebAPIPlatformError ? error.data.error : null;

interface Latch {
  readonly whom: string;
  readonly why: string;
  readonly wait: Millis;
}

/**
 * Whose progress is edited for how long, after a stream was refused; null where it may have begun, or the thread is
 * closed. A missing scope closes no thread here: messages can still be posted.
 */
const latchFor = (error: unknown, user: string): Latch | null => {
  const trouble = troubleOf(error);
  if (trouble.kind === "throttled") return { whom: EVERYBODY, why: "too fast", wait: trouble.retryAfter };
  const code = codeOf(error);
  const refuses =
    code === "missing_scope" ||
    code === "no_permission" ||
    (trouble.kind === "refused" && trouble.permanent && code !== null);
  return refuses ? { whom: OF_PERSON.has(code) ? user : EVERYBODY, why: code, wait: LATCHED_FOR } : null;
};
