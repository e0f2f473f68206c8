/**
 * The surface port on Discord's REST API. A conversation's thread is a channel whose id is the thread's root: a thread has the
 * id of its message, and a forum post has the id of its first message. In direct messages, place and root are the same channel.
 * Only calls that Discord refused because of an archived thread are retried here.
 */

import { MessageFlags } from "discord-api-types/v10";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import type { Clock } from "../../../src/ports/host.ts";
import type {
  Budget,
  Content,
  FileBytes,
  Limits,
  PostedMessages,
  Operation,
  SendOutcome,
  Surface,
  Thread,
} from "../../../src/ports/surface.ts";
import { readDiscordChannel } from "../read/channel.ts";
import type { Channels } from "../read/channels.ts";
import { millisOfSnowflake } from "../read/message.ts";
import {
  attemptDiscordCall,
  isArchived,
  isForbidden,
  isReplyForbidden,
  isUnknownChannel,
} from "../api/failure.ts";
import { type MessageBody, createFormat, type Format } from "./format.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { fitsPlain, formattingMarkOf } from "./blocks.ts";
import type { ChannelReach } from "../read/reach.ts";
import type { DiscordThreads } from "../read/threads.ts";
import { messageKey } from "./message-key.ts";
import { onceBy } from "./post-message.ts";
import { createUnstarted, speechRefusal, threadRefusal } from "./unstarted.ts";
import { startThread } from "./start-thread.ts";
import { nameOfStarter, starter } from "./thread-name.ts";
import { createDiscordAnswer, type NotesDeps } from "./notes.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { type NamedApprovers, withSupport } from "./support.ts";
import { createTyping, type Typing } from "./typing.ts";

interface SurfaceDeps
  extends Pick<ChatInbox, "say">,
    Pick<Channels, "isForum">,
    Pick<NotesDeps, "calls" | "whispers"> {
  readonly clock: Clock;
  readonly threads: Pick<DiscordThreads, "isLocked" | "unlocked" | "isPrivate" | "unstarted" | "started">;
  readonly reach: Pick<ChannelReach, "refused">;
  /** People and roles that decide questions. */
  readonly called: Pick<NamedApprovers, "people" | "roles">;
  self(): string | null;
}

/** Dependencies to open a thread, and to tell the channel if that is refused. */
type Opening = Pick<SurfaceDeps, "calls" | "threads" | "reach" | "isForum"> & {
  readonly unstarted: ReturnType<typeof createUnstarted>;
};

const PAGE = 100;
const HAS_THREAD = 1 << 5;
/** A little less than Discord's limit of one hour. */
const OLD: Millis = 59 * 60_000;
/** Discord's limit for everybody, in bytes; servers with boosts accept more. */
const MAX_FILE = 10 * 1_048_576;

/** Discord allows every bot 50 requests in any second. */
const ALL: Budget = { name: "requests", burst: 45, every: 23, within: 1_000 };

/** Discord reports the limit of each route (hazard G5), which the wait after each edit follows. */
export const discordLimits: Limits = {
  text: 3_800,
  units: "utf16",
  observes: true,
  budgetOf: () => ALL,
  begins: () => false,
  parallel: 16,
  patienceOf: () => 15_000,
  hintLasts: 10 * 60_000,
  editEvery: 1_000,
  editAtMost: 60_000,
  routeOf: (call, thread) => `${call === "upload" ? "send" : call} ${thread.root}`,
};

export const createDiscordSurface = (deps: SurfaceDeps, limits: Limits = discordLimits): Surface => {
  const typing = createTyping(deps);
  const format = createFormat(limits.text);
  const opening: Opening = { ...deps, unstarted: createUnstarted(deps.calls, deps.say) };
  const doing: Doing = { ...deps, typing, format, forms: createLruCache(REMEMBERED) };
  return {
    limits: {
      ...limits,
      get text() {
        return format.text;
      },
    },
    open: (thread) => attemptDiscordCall(() => open(opening, thread)),
    apply: (operation) =>
      deps.threads.isLocked(operation.thread.root)
        ? Promise.resolve(locked)
        : attemptDiscordCall(() =>
            inOpenThread(opening, operation.thread, () => apply(doing, supported(operation, deps))),
          ),
    hint: async ({ root }, text) => {
      if (text === null) typing.stop(root);
      // Without a thread, nobody would see the typing status.
      else if (deps.threads.unstarted(root) === null) await typing.show(root);
      return { kind: "done", id: root };
    },
    observe: (thread, since, sought) =>
      attemptDiscordCall(() =>
        observe(deps, thread, since, sought).catch((error: unknown) => {
          if (isUnknownChannel(error) && thread.place !== thread.root) return notStarted;
          throw error;
        }),
      ),
    answer: createDiscordAnswer({ ...deps, locks: deps.threads }),
  };
};

/** Adds the buttons of a forum post to a turn's message. */
const supported = (
  operation: Operation,
  { isForum, say }: Pick<SurfaceDeps, "isForum" | "say">,
): Operation => {
  if (!("content" in operation) || operation.content.tone !== "turn") return operation;
  const { thread, content } = operation;
  if (!isForum(thread.place)) return operation;
  const buttons = withSupport(content.buttons, thread.conversation, say(thread.place));
  return { ...operation, content: { ...content, buttons } };
};

const locked: SendOutcome = { kind: "gone", what: "thread", why: "the thread is locked" };

const open = async (opening: Opening, thread: Thread): Promise<SendOutcome> => {
  const { calls, threads } = opening;
  const there = await readDiscordChannel(calls, thread.root).catch((error: unknown) => {
    if (isUnknownChannel(error)) return null;
    throw error;
  });
  if (there === null) return start(opening, thread);
  if (there.thread_metadata?.locked === true) return locked;
  threads.unlocked(thread.root);
  if (there.thread_metadata?.archived === true) await reopen(calls, thread);
  return { kind: "done", id: thread.root };
};

/**
 * Opens the thread on its message unless it had one before: a thread that a moderator deleted is not opened
 * again.
 */
const start = async (opening: Opening, thread: Thread): Promise<SendOutcome> => {
  const { place, root } = thread;
  const first = message
    .extend(starter.shape)
    .parse(await opening.calls.call("GET", `/channels/${place}/messages/${root}`));
  if ((first.flags & HAS_THREAD) !== 0)
    return { kind: "gone", what: "thread", why: "the thread was deleted" };
  return begin(opening, thread, nameOfStarter(first));
};

/** Opens the thread, and tells the channel if Discord refuses. */
const begin = async (
  { calls, reach, unstarted }: Opening,
  thread: Thread,
  name: string,
): Promise<SendOutcome> => {
  try {
    return { kind: "done", id: await startThread(calls, thread.place, thread.root, name) };
  } catch (error) {
    const why = threadRefusal(error);
    if (why === null) throw error;
    reach.refused(thread.place, error);
    await unstarted(thread, why);
    return { kind: "gone", what: "thread", why };
  }
};

/**
 * Reads the lock of an archived thread, which the gateway does not report. An app that manages threads could
 * write there.
 */
const isLocked = async (calls: DiscordCalls, { root }: Thread): Promise<boolean> =>
  (await readDiscordChannel(calls, root)).thread_metadata?.locked === true;

const reopen = (calls: DiscordCalls, { root }: Thread): Promise<unknown> =>
  calls.call("PATCH", `/channels/${root}`, { body: { archived: false } });

/**
 * Opens a thread with its first post: before the post if the thread is known to be missing, otherwise after
 * Discord's error. Messages in an archived thread can be neither changed nor deleted, so the thread is
 * reopened first.
 */
const inOpenThread = async (
  opening: Opening,
  thread: Thread,
  deed: () => Promise<SendOutcome>,
): Promise<SendOutcome> => {
  const { calls, threads, isForum, unstarted } = opening;
  const name = threads.unstarted(thread.root);
  if (name !== null) {
    threads.started(thread.root);
    const started = await begin(opening, thread, name);
    if (started.kind !== "done") return started;
  }
  try {
    return await deed();
  } catch (error) {
    if (isUnknownChannel(error) && thread.place !== thread.root) {
      const started = await start(opening, thread);
      return started.kind === "done" ? deed() : started;
    }
    const why = speechRefusal(error);
    if (why !== null && !isForum(thread.place)) await unstarted(thread, why);
    if (!isArchived(error)) throw error;
    return (await isLocked(calls, thread)) ? locked : reopen(calls, thread).then(deed);
  }
};

interface Doing extends Pick<SurfaceDeps, "calls" | "clock" | "called" | "threads"> {
  readonly typing: Typing;
  readonly format: Format;
  readonly forms: ReturnType<typeof createLruCache<boolean>>;
}

const apply = async (doing: Doing, operation: Operation): Promise<SendOutcome> => {
  const { calls, typing } = doing;
  switch (operation.kind) {
    case "send":
      typing.stop(operation.thread.root);
      return send(doing, operation, operation.content);
    case "upload":
      return operation.files.some(({ bytes }) => bytes.length > MAX_FILE)
        ? tooLarge
        : send(doing, operation, operation.content, operation.files).catch((error: unknown) => {
            if (isForbidden(error)) return mayNotAttach;
            throw error;
          });
    case "edit":
    case "finish":
      return edit(doing, operation, operation.id, operation.content);
    case "delete":
      typing.stop(operation.thread.root);
      nothing.parse(
        await calls.call("DELETE", `/channels/${operation.thread.root}/messages/${operation.id}`),
      );
      return { kind: "done", id: operation.id };
    case "status": {
      const { id, content } = operation;
      if (id !== null && isOld(id, doing.clock)) return { kind: "done", id, lasts: 0 };
      return id === null ? send(doing, operation, content) : edit(doing, operation, id, content);
    }
  }
};

/** Discord allows few edits of messages older than an hour, so a new progress message replaces an old one. */
const isOld = (id: string, clock: Pick<Clock, "now">): boolean => clock.now() - millisOfSnowflake(id) >= OLD;

/** A missing permission for files alone must not close the thread. */
const mayNotAttach: SendOutcome = {
  kind: "refused",
  why: "the bot may not attach files here",
  permanent: true,
};

const tooLarge: SendOutcome = {
  kind: "refused",
  why: `files may have ${MAX_FILE / 1_048_576} MB`,
  permanent: true,
};

/** The text is split again into pieces that fit. */
const tooLong: SendOutcome = { kind: "refused", why: "it is too long for a plain message", permanent: false };

const send = async (
  { calls, format, forms, called, threads }: Doing,
  { thread, wire }: Operation,
  content: Content,
  files: readonly FileBytes[] = [],
): Promise<SendOutcome> => {
  let wanted = "";
  const route = `/channels/${thread.root}/messages` as const;
  const sent = await format.make(content, wire, {
    make: async (body) => {
      wanted = wordsOf(body);
      const isAlone = thread.place === thread.root || threads.isPrivate(thread.root);
      const reply = replying(content, thread, isAlone ? NONE : decidersIn(content, called));
      const post = (more: object): Promise<unknown> =>
        calls.call("POST", route, { ...withFiles({ ...body, ...more, ...onceBy(wire) }, files) });
      try {
        return await post(reply);
      } catch (error) {
        // Replies need Read Message History. The answer can be sent without the reference.
        if (!isReplyForbidden(error)) throw error;
        const { message_reference: _, ...plain } = reply;
        return post(plain);
      }
    },
    change: (made, body) => {
      wanted = wordsOf(body);
      return calls.call("PATCH", `${route}/${message.parse(made).id}`, { body });
    },
  });
  if (sent === null) return tooLong;
  const stands = message.parse(sent.answer);
  forms.set(stands.id, isOfComponents(stands));
  // The wanted content is split again and differs from this one.
  if (sent.begun === true) return { kind: "done", id: stands.id };
  // A known nonce returns the earlier message, which may have older text and no files.
  const isBare = stands.attachments.length < files.length;
  return textOf(stands) === wanted && !isBare
    ? { kind: "done", id: stands.id }
    : edit({ calls, format, forms }, { thread, wire }, stands.id, content, isBare ? files : []);
};

/**
 * Replies to the question if it is in the same thread. Notifies the person who waited long, and the deciders. In
 * a private thread deciders are not mentioned, because a mention would add them to it.
 */
const replying = (
  { reply }: Content,
  { place, root }: Thread,
  deciders: Deciders,
): { readonly message_reference?: object; readonly allowed_mentions?: object } => {
  const { to, person, calls } = reply ?? { to: null, person: "", calls: false };
  // A watch that asked is no person, and Discord refuses the whole message if an id is none of its own.
  const called = calls && person.startsWith(PERSON) ? [person.slice(PERSON.length)] : [];
  const users = [...new Set([...called, ...deciders.users])];
  const { roles } = deciders;
  if (to === null || (to === root && place !== root)) {
    return users.length + roles.length === 0
      ? {}
      : { allowed_mentions: { parse: [], users, ...(roles.length === 0 ? {} : { roles }) } };
  }
  const more = deciders === NONE ? {} : { users: deciders.users, roles };
  return {
    message_reference: { message_id: to, fail_if_not_exists: false },
    allowed_mentions: { parse: [], ...more, replied_user: calls },
  };
};

/** Start of the ids of people of this platform. */
const PERSON = "discord:";

interface Deciders {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

const NONE: Deciders = { users: [], roles: [] };

/** Returns the people and roles that the host's line of an open question names as deciders. */
const decidersIn = (
  { tone, lead = "", buttons }: Content,
  { people, roles }: Pick<NamedApprovers, "people" | "roles">,
): Deciders => {
  const isOpen = tone === "question" && buttons.some(({ action }) => action !== "steps");
  if (!isOpen) return NONE;
  const users = people.filter((id) => lead.includes(`<@${id}>`));
  const named = roles.filter((id) => lead.includes(`<@&${id}>`));
  return users.length + named.length === 0 ? NONE : { users, roles: named };
};

const withFiles = (body: object, files: readonly FileBytes[]) =>
  files.length === 0
    ? { body }
    : { body: { ...body, attachments: files.map(describe) }, files: files.map(fileOf) };

const describe = ({ title, name }: FileBytes, index: number) => ({
  id: String(index),
  description: (title ?? name).slice(0, MAX_DESCRIPTION),
});

const MAX_DESCRIPTION = 1_024;

const fileOf = ({ name, mediaType, bytes }: FileBytes) => ({
  name,
  contentType: mediaType,
  data: Buffer.from(bytes),
});

const edit = async (
  { calls, format, forms }: Pick<Doing, "calls" | "format" | "forms">,
  { thread, wire }: Pick<Operation, "thread" | "wire">,
  id: string,
  content: Content,
  files: readonly FileBytes[] = [],
): Promise<SendOutcome> => {
  const route = `/channels/${thread.root}/messages/${id}` as const;
  // An earlier process may have made either kind, and Discord refuses a change back to plain.
  const isRich =
    !fitsPlain(content) || (forms.get(id) ?? isOfComponents(message.parse(await calls.call("GET", route))));
  let wait: Millis | undefined;
  const answered = await format.change(content, wire, isRich, async (body) => {
    const made = await calls.paced("PATCH", route, withFiles(body, files));
    ({ wait } = made);
    return made.answer;
  });
  if (answered === null) return tooLong;
  const stands = message.parse(answered);
  forms.set(stands.id, isOfComponents(stands));
  return { kind: "done", id: stands.id, ...omitUndefined({ wait }) };
};

const isOfComponents = ({ flags }: z.output<typeof message>): boolean =>
  (flags & MessageFlags.IsComponentsV2) !== 0;

const REMEMBERED = 5_000;

/**
 * The thread is opened with its first message, so a missing thread contains no messages. A deleted thread is reported by the
 * next send.
 */
const notStarted: PostedMessages = { kind: "seen", messages: [] };

const observe = async (
  { calls, self }: SurfaceDeps,
  thread: Thread,
  since: string | null,
  sought: readonly string[],
): Promise<PostedMessages> => {
  const bot = self();
  if (bot === null) return { kind: "refused", why: "Discord is not connected", permanent: false };
  const wires = new Map(sought.map((wire) => [messageKey(wire), wire]));
  const found: { readonly id: string; readonly wire: string; readonly hash: null }[] = [];
  for (let after: string | null = since ?? "0"; after !== null; ) {
    const query: Readonly<Record<string, string>> = { after, limit: String(PAGE) };
    const page = messages
      .parse(await calls.call("GET", `/channels/${thread.root}/messages`, { query }))
      .toReversed();
    for (const { id, author, components } of page) {
      const wire = wires.get(formattingMarkOf(components));
      if (wire !== undefined && author.id === bot) found.push({ id, wire, hash: null });
    }
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
  return { kind: "seen", messages: found };
};

const textOf = ({ content, components }: z.output<typeof message>): string =>
  `${content}${components.map(contentOf).join("")}`.trim();

const wordsOf = (body: MessageBody): string =>
  `${body.content ?? ""}${body.components.map(contentOf).join("")}`.trim();

const contentOf = (component: object): string =>
  "content" in component && typeof component.content === "string" ? component.content : "";

/** Discord's response without a body; a proxy may have added one. */
const nothing = z.instanceof(ArrayBuffer).refine(({ byteLength }) => byteLength === 0);
const component = z.object({
  id: z.int().exactOptional(),
  content: z.string().optional(),
  components: z.array(z.object({ custom_id: z.string().exactOptional() })).exactOptional(),
});
const message = z.object({
  id: z.string(),
  content: z.string(),
  flags: z.int(),
  author: z.object({ id: z.string() }),
  components: z.array(component),
  attachments: z.array(z.unknown()).default([]),
});
const messages = z.array(message);
