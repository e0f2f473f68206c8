/**
 * The surface port on Discord's REST API. A conversation's thread is a channel whose id is the thread's root (a thread takes the
 * id of the message that it hangs on, and a forum post that of its first message); of direct messages place and root are
 * the one channel. Nothing is retried here but what Discord refused because the thread was archived.
 */

import * as z from "zod";
import type {
  CallKind,
  Content,
  Limits,
  Observed,
  Operation,
  Outcome,
  Surface,
  Thread,
} from "../../src/runtime/ports-surface.ts";
import { bodyOf } from "./blocks.ts";
import { isArchived, isThreadThere, isUnknownChannel, troubleOf } from "./failure.ts";
import { markOf, nonceOf } from "./mark.ts";
import type { Locks } from "./locks.ts";
import type { Calls } from "./rest.ts";
import { createTyping, type Typing } from "./typing.ts";
import type { Whispers } from "./whispers.ts";
import type { Clock } from "../../src/runtime/ports.ts";

export interface SurfaceDeps {
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
  readonly locks: Pick<Locks, "isLocked">;
  readonly whispers: Pick<Whispers, "find">;
  /** The bot's user id; null while it is not known. */
  self(): string | null;
}

const PAGE = 100;
const HAS_THREAD = 1 << 5;
const EPHEMERAL = 1 << 6;
const MAX_NAME = 90;
const DAY_MINUTES = 1_440;
const MAX_WHISPER = 2_000;

/** Under Discord's 50 requests a second; each route's own buckets answer by themselves (platforms.md B.4). */
export const discordLimits: Limits = {
  text: 3_800,
  observes: true,
  burst: 30,
  callEvery: 25,
  parallel: 16,
  editEvery: 1_500,
  editAtMost: 60_000,
  routeOf: (call: CallKind, thread: Thread): string => `${call} ${thread.root}`,
};

export const createDiscordSurface = (deps: SurfaceDeps, limits: Limits = discordLimits): Surface => {
  const typing = createTyping(deps);
  return {
    limits,
    open: (thread) => attempt(() => open(deps, thread)),
    apply: (operation) =>
      deps.locks.isLocked(operation.thread.root)
        ? Promise.resolve(locked)
        : attempt(() =>
            inOpenThread(deps.calls, operation.thread, () => apply(deps.calls, typing, operation)),
          ),
    observe: (thread, since, sought) => attempt(() => observe(deps, thread, since, sought)),
    answer: ({ place, root, person }, text) => attempt(() => answer(deps, root ?? place, person, text)),
  };
};

const locked: Outcome = { kind: "gone", what: "thread", why: "the thread is locked" };

const open = async ({ calls }: SurfaceDeps, thread: Thread): Promise<Outcome> => {
  const there = await calls.call("GET", `/channels/${thread.root}`).catch((error: unknown) => {
    if (isUnknownChannel(error)) return null;
    throw error;
  });
  if (there === null) return start(calls, thread);
  const { thread_metadata: metadata } = channel.parse(there);
  if (metadata?.locked === true) return locked;
  if (metadata?.archived === true) await reopen(calls, thread);
  return { kind: "done", id: thread.root };
};

/** Opens the thread on its message, unless it has had one: what a moderator deleted stays deleted. */
const start = async (calls: Calls, { place, root }: Thread): Promise<Outcome> => {
  const { content, flags } = message.parse(await calls.call("GET", `/channels/${place}/messages/${root}`));
  if ((flags & HAS_THREAD) !== 0) return { kind: "gone", what: "thread", why: "the thread was deleted" };
  const body = { name: nameOf(content), auto_archive_duration: DAY_MINUTES };
  await calls
    .call("POST", `/channels/${place}/messages/${root}/threads`, { body })
    .catch((error: unknown) => {
      if (!isThreadThere(error)) throw error;
    });
  return { kind: "done", id: root };
};

const reopen = (calls: Calls, { root }: Thread): Promise<unknown> =>
  calls.call("PATCH", `/channels/${root}`, { body: { archived: false } });

/**
 * A thread is started with the first thing that is said in it. A message in an archived thread can be neither changed nor
 * deleted: the thread is opened first.
 */
const inOpenThread = async (calls: Calls, thread: Thread, deed: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await deed();
  } catch (error) {
    if (isUnknownChannel(error) && thread.place !== thread.root) {
      const started = await start(calls, thread);
      return started.kind === "done" ? deed() : started;
    }
    if (!isArchived(error)) throw error;
    await reopen(calls, thread);
    return deed();
  }
};

const apply = async (calls: Calls, typing: Typing, operation: Operation): Promise<Outcome> => {
  switch (operation.kind) {
    case "send":
      return send(calls, operation, operation.content);
    case "edit":
    case "finish":
      return edit(calls, operation, operation.id, operation.content);
    case "delete":
      await calls.call("DELETE", `/channels/${operation.thread.root}/messages/${operation.id}`);
      return { kind: "done", id: operation.id };
    case "status": {
      const { id, content } = operation;
      const shown = await (id === null
        ? send(calls, operation, content)
        : edit(calls, operation, id, content));
      await typing.show(operation.thread.root);
      return shown;
    }
  }
};

const send = async (calls: Calls, { thread, wire }: Operation, content: Content): Promise<Outcome> => {
  const body = bodyOf(content, wire);
  const answered = await calls.call("POST", `/channels/${thread.root}/messages`, {
    body: { ...body, nonce: nonceOf(wire), enforce_nonce: true },
  });
  const sent = message.parse(answered);
  // A nonce that Discord knows brings back the earlier message, whose text may be an older one.
  return textOf(sent) === body.components.map(contentOf).join("").trim()
    ? { kind: "done", id: sent.id }
    : edit(calls, { thread, wire }, sent.id, content);
};

const edit = async (
  calls: Calls,
  { thread, wire }: Pick<Operation, "thread" | "wire">,
  id: string,
  content: Content,
): Promise<Outcome> => {
  const answered = await calls.call("PATCH", `/channels/${thread.root}/messages/${id}`, {
    body: bodyOf(content, wire),
  });
  return { kind: "done", id: message.parse(answered).id };
};

const observe = async (
  { calls, self }: SurfaceDeps,
  thread: Thread,
  since: string | null,
  sought: readonly string[],
): Promise<Observed> => {
  const bot = self();
  if (bot === null) return { kind: "refused", why: "Discord is not connected", permanent: false };
  const wires = new Map(sought.map((wire) => [markOf(wire), wire]));
  const found: { readonly id: string; readonly wire: string; readonly hash: null }[] = [];
  for (let after: string | null = since ?? "0"; after !== null; ) {
    const query: Readonly<Record<string, string>> = { after, limit: String(PAGE) };
    const page = messages
      .parse(await calls.call("GET", `/channels/${thread.root}/messages`, { query }))
      .toReversed();
    for (const { id, author, components } of page) {
      const wire = wires.get(components[0]?.id ?? 0);
      if (wire !== undefined && author.id === bot) found.push({ id, wire, hash: null });
    }
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
  return { kind: "seen", messages: found };
};

/** Where the person did nothing lately that could be answered in private, the answer names them and pings nobody else. */
const answer = async (
  { calls, whispers }: SurfaceDeps,
  channelId: string,
  person: string,
  text: string,
): Promise<Outcome> => {
  const whisper = whispers.find(channelId, person);
  const content = text.slice(0, MAX_WHISPER);
  const answered = await (whisper === null
    ? calls.call("POST", `/channels/${channelId}/messages`, {
        body: {
          content: `<@${person}> ${text}`.slice(0, MAX_WHISPER),
          allowed_mentions: { users: [person] },
        },
      })
    : calls.call("POST", `/webhooks/${whisper.application}/${whisper.token}`, {
        body: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
      }));
  return { kind: "done", id: message.parse(answered).id };
};

/** The first line that says something, as a thread's name. */
const nameOf = (content: string): string => {
  const lines = content.replaceAll(/<[@#:][^>]*>/g, "").split("\n");
  const words =
    lines.map((line) => line.replaceAll(/[\s`*_~|>#]+/g, " ").trim()).find((line) => line !== "") ?? "";
  const points = Array.from(words);
  if (points.length === 0) return "Parley";
  return points.length <= MAX_NAME ? words : `${points.slice(0, MAX_NAME - 1).join("")}…`;
};

const textOf = ({ components }: z.output<typeof message>): string =>
  components.map(contentOf).join("").trim();

const contentOf = (component: object): string =>
  "content" in component && typeof component.content === "string" ? component.content : "";

/** An answer that is not what it should be leaves open what was done. */
const attempt = async <T>(call: () => Promise<T>): Promise<T | ReturnType<typeof troubleOf>> => {
  try {
    return await call();
  } catch (error) {
    return troubleOf(error);
  }
};

const component = z.object({ id: z.int(), content: z.string().optional() });
const message = z.object({
  id: z.string(),
  content: z.string(),
  flags: z.int(),
  author: z.object({ id: z.string() }),
  components: z.array(component),
});
const messages = z.array(message);
const channel = z.object({
  thread_metadata: z.object({ archived: z.boolean(), locked: z.boolean() }).optional(),
});
