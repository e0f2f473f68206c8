/** Messages of a channel: make, read, change, delete, react. */

import { change, post, react, remove } from "../people/acts.ts";
import { can, denied, lockedOut, speaking } from "../rules/access.ts";
import { COMPONENTS_V2, editRefusal, refusalOf } from "../content.ts";
import type { Discord } from "../discord.ts";
import { draftOf, edited, MAX_FILE, messageBody, uploaded } from "../draft.ts";
import { timeOf } from "../ids.ts";
import { invalidForm, nothing, ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import type { Ask, Routes } from "../route.ts";
import { messageWire, nonceWire } from "../wire.ts";
import type { AnyChannel, Json, Message } from "../world.ts";

const HOUR = 3_600_000;
const MAX_PAGE = 100;
/** "Maximum number of edits to messages older than 1 hour reached." */
const OLD_EDITS = 30_046;

export const messageRoutes: Routes = {
  "POST /channels/{channel}/messages": {
    takes: "MessageCreateRequest",
    answers: "MessageResponse",
    serve: (discord, ask) => onChannel(discord, ask, (channel) => create(discord, channel, ask)),
  },
  "GET /channels/{channel}/messages": {
    answersMany: "MessageResponse",
    bucket: { size: 10, perMs: 5_000 },
    serve: (discord, ask) => onChannel(discord, ask, (channel) => list(discord, channel, ask)),
  },
  "GET /channels/{channel}/messages/{message}": {
    answers: "MessageResponse",
    bucket: { size: 10, perMs: 5_000 },
    serve: (discord, ask) =>
      onMessage(
        discord,
        ask,
        (message, channel) =>
          denied(discord, discord.world.app.bot, channel, "ReadMessageHistory") ??
          ok(shown(discord, message)),
      ),
  },
  "PATCH /channels/{channel}/messages/{message}": {
    takes: "MessageEditRequestPartial",
    answers: "MessageResponse",
    extraBucket: (discord, ask) =>
      discord.clock.now() - timeOf(ask.param("message")) > HOUR
        ? { name: "edits of old messages", bucket: { size: 3, perMs: HOUR }, code: OLD_EDITS }
        : undefined,
    serve: (discord, ask) =>
      onMessage(discord, ask, (message, channel) => edit(discord, channel, message, ask)),
  },
  "DELETE /channels/{channel}/messages/{message}": {
    serve: (discord, ask) =>
      onMessage(discord, ask, (message, channel) => {
        const isOwn = message.author === discord.world.app.bot;
        const refused = denied(
          discord,
          discord.world.app.bot,
          channel,
          ...(isOwn ? [] : (["ManageMessages"] as const)),
        );
        if (refused !== undefined) return refused;
        if (channel.kind === "thread" && channel.archived) return refuse("archivedThread");
        remove(discord, [message]);
        return nothing;
      }),
  },
  "POST /channels/{channel}/messages/bulk-delete": {
    serve: (discord, ask) =>
      onChannel(discord, ask, (channel) => {
        const refused = denied(discord, discord.world.app.bot, channel, "ManageMessages");
        const ids = idsIn(ask.body);
        if (refused !== undefined || ids.length < 2)
          return (
            refused ??
            invalidForm([
              { path: ["messages"], code: "BASE_TYPE_MIN_LENGTH", message: "Must be at least 2 in length." },
            ])
          );
        remove(
          discord,
          ids.flatMap((id) => discord.world.message(channel.id, id) ?? []),
        );
        return nothing;
      }),
  },
  "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me": {
    bucket: { size: 1, perMs: 250 },
    serve: (discord, ask) =>
      onMessage(discord, ask, (message, channel) => {
        const refused = denied(discord, discord.world.app.bot, channel, "ReadMessageHistory", "AddReactions");
        if (refused !== undefined) return refused;
        if (channel.kind === "thread" && channel.archived) return refuse("archivedThread");
        react(discord, message, discord.world.app.bot, decodeURIComponent(ask.param("emoji")));
        return nothing;
      }),
  },
  "POST /channels/{channel}/typing": {
    serve: (discord, ask) =>
      onChannel(
        discord,
        ask,
        (channel) => denied(discord, discord.world.app.bot, channel, speaking(channel)) ?? nothing,
      ),
  },
};

export const onChannel = (discord: Discord, ask: Ask, then: (channel: AnyChannel) => Outcome): Outcome => {
  const channel = discord.world.channels.get(ask.param("channel"));
  return channel === undefined ? refuse("unknownChannel") : then(channel);
};

export const onMessage = (
  discord: Discord,
  ask: Ask,
  then: (message: Message, channel: AnyChannel) => Outcome,
): Outcome =>
  onChannel(discord, ask, (channel) => {
    const message = discord.world.message(channel.id, ask.param("message"));
    return message === undefined || message.onlyFor !== null
      ? refuse("unknownMessage")
      : then(message, channel);
  });

const create = (discord: Discord, channel: AnyChannel, ask: Ask): Outcome => {
  const { world } = discord;
  const body = messageBody(ask.body);
  const attachments = uploaded(discord, body, ask.files);
  const draft = {
    content: body.content ?? "",
    components: body.components ?? [],
    embeds: body.embeds ?? [],
    flags: body.flags ?? 0,
    attachments,
  };
  const refused =
    speechRefusal(discord, channel, ask.files.length > 0) ??
    (ask.files.some(({ bytes }) => bytes.length > MAX_FILE) ? refuse("tooLarge") : refusalOf(draftOf(draft)));
  if (refused !== undefined) return refused;
  const repliesTo = body.message_reference?.message_id;
  if (repliesTo !== undefined && !can(discord, world.app.bot, channel, "ReadMessageHistory"))
    return refuse("replyForbidden");
  const replied = repliesTo === undefined ? undefined : world.message(channel.id, repliesTo);
  if (
    repliesTo !== undefined &&
    replied === undefined &&
    body.message_reference?.fail_if_not_exists !== false
  ) {
    return invalidForm([
      { path: ["message_reference"], code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" },
    ]);
  }
  const nonce = body.nonce ?? null;
  const earlier =
    nonce === null || body.enforce_nonce !== true ? undefined : sentWith(discord, channel, nonce);
  if (earlier !== undefined) return ok({ ...shown(discord, earlier), ...nonceWire(earlier) });
  const message = post(discord, {
    ...draft,
    channel: channel.id,
    author: world.app.bot,
    nonce,
    allowedMentions: body.allowed_mentions,
    ...(replied === undefined ? {} : { type: 19, reference: { channel: channel.id, message: replied.id } }),
  });
  return ok({ ...shown(discord, message), ...nonceWire(message) });
};

/** Why the app cannot write there now. */
export const speechRefusal = (
  discord: Discord,
  channel: AnyChannel,
  hasFiles: boolean,
): Refused | undefined => {
  const { world } = discord;
  if (channel.kind === "forum")
    return violate("notATextChannel", `#${channel.name} takes posts, not messages`);
  const needs = [speaking(channel), ...(hasFiles ? (["AttachFiles"] as const) : [])];
  return (
    denied(discord, world.app.bot, channel, ...needs) ??
    (channel.kind === "thread" ? lockedOut(discord, world.app.bot, channel) : undefined)
  );
};

/** The app's message of the past few minutes with that nonce. */
const sentWith = (
  { world, clock, times }: Discord,
  channel: AnyChannel,
  nonce: string | number,
): Message | undefined =>
  world
    .messages(channel.id)
    .findLast(
      (one) =>
        one.author === world.app.bot && one.nonce === nonce && clock.now() - timeOf(one.id) <= times.nonceMs,
    );

const list = (discord: Discord, channel: AnyChannel, { query }: Ask): Outcome => {
  const { world } = discord;
  const refused = denied(discord, world.app.bot, channel);
  if (refused !== undefined) return refused;
  const limit = Number(query["limit"] ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    return invalidForm([
      { path: ["limit"], code: "NUMBER_TYPE_MAX", message: `int value should be between 1 and ${MAX_PAGE}.` },
    ]);
  }
  if (!can(discord, world.app.bot, channel, "ReadMessageHistory")) return ok([]);
  const all = world.messages(channel.id).filter(({ onlyFor }) => onlyFor === null);
  return ok(
    page(all, limit, query)
      .toReversed()
      .map((message) => shown(discord, message)),
  );
};

/** Oldest first. */
const page = (all: readonly Message[], limit: number, query: Ask["query"]): readonly Message[] => {
  const { before, after, around } = query;
  if (after !== undefined) return all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
  if (before !== undefined) return all.filter(({ id }) => BigInt(id) < BigInt(before)).slice(-limit);
  if (around !== undefined) {
    const older = all.filter(({ id }) => BigInt(id) < BigInt(around)).slice(-Math.floor(limit / 2));
    return [...older, ...all.filter(({ id }) => BigInt(id) >= BigInt(around)).slice(0, limit - older.length)];
  }
  return all.slice(-limit);
};

const edit = (discord: Discord, channel: AnyChannel, message: Message, ask: Ask): Outcome => {
  const { world } = discord;
  const body = messageBody(ask.body);
  const isOwn = message.author === world.app.bot;
  const refused = denied(discord, world.app.bot, channel, ...(isOwn ? [] : (["ManageMessages"] as const)));
  if (refused !== undefined) return refused;
  if (!isOwn && Object.keys(Object(ask.body)).some((key) => key !== "flags")) return refuse("notTheAuthor");
  if (message.type !== 0 && message.type !== 19 && message.type !== 20 && message.type !== 23)
    return refuse("systemMessage");
  if (channel.kind === "thread" && channel.archived) return refuse("archivedThread");
  const after = edited(discord, message, body, ask.files);
  const wrong = editRefusal(message.flags & COMPONENTS_V2, draftOf(after));
  return wrong ?? ok(shown(discord, change(discord, after)));
};

/** What the app sees of a message over REST: as at the gateway, the words of others only with the right to them. */
const shown = (discord: Discord, message: Message): Json => {
  const { world } = discord;
  const mayRead = (discord.applicationFlags() & (GRANTED | GRANTED_SMALL)) !== 0;
  const isOpen =
    mayRead || message.author === world.app.bot || message.mentions.users.includes(world.app.bot);
  const isDirect = world.channels.get(message.channel)?.guild === null;
  return {
    ...messageWire(world, message, discord.baseUrl),
    ...(isOpen || isDirect ? {} : { content: "", embeds: [], attachments: [], components: [] }),
  };
};

/** Flags of the application: the message content intent is granted (to one in more or in fewer than 100 guilds). */
const GRANTED = 1 << 18;
const GRANTED_SMALL = 1 << 19;

const idsIn = (body: unknown): readonly string[] => {
  const given: unknown = Object(body).messages;
  return Array.isArray(given) ? given.map(String) : [];
};
