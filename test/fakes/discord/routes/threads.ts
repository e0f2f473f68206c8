/** Threads and the channels they are in: start, read, change, join. */

import { z } from "zod";
import { changeThread, joinThread, leaveThread, openThread, post, removeChannel } from "../people/acts.ts";
import { can, denied, speaking } from "../rules/access.ts";
import { refusalOf } from "../content.ts";
import type { Discord } from "../discord.ts";
import { draftOf, messageBody, uploaded } from "../draft.ts";
import { tellChannel } from "../events.ts";
import { invalidForm, nothing, ok, type Outcome, refuse } from "../outcome.ts";
import type { Ask, Routes } from "../route.ts";
import { channelWire, messageWire, threadMemberWire } from "../wire.ts";
import type { AnyChannel, Channel, Thread } from "../world.ts";
import { onChannel, onMessage, speechRefusal } from "./messages.ts";

const DAY_MINUTES = 1_440;
const MAX_TAGS = 5;

export const threadRoutes: Routes = {
  "POST /channels/{channel}/messages/{message}/threads": {
    takes: "CreateTextThreadWithMessageRequest",
    answers: "ThreadResponse",
    serve: (discord, ask) =>
      onMessage(discord, ask, (message, channel) => {
        if (channel.kind !== "text" || channel.guild === null) return refuse("wrongChannelType");
        const refused = denied(discord, discord.world.app.bot, channel, "CreatePublicThreads");
        if (refused !== undefined) return refused;
        if (discord.world.channels.has(message.id)) return refuse("threadExists");
        const { name, auto_archive_duration: minutes } = startSchema.parse(ask.body);
        const parent = { ...channel, guild: channel.guild };
        const thread = openThread(discord, {
          ...ours(discord),
          parent,
          name,
          from: message,
          autoArchiveMinutes: minutes ?? DAY_MINUTES,
        });
        return ok(channelWire(discord.world, thread), 201);
      }),
  },
  "POST /channels/{channel}/threads": {
    takes: (discord, ask) =>
      discord.world.channels.get(ask.param("channel"))?.kind === "forum"
        ? "CreateForumThreadRequest"
        : "CreateTextThreadWithoutMessageRequest",
    serve: (discord, ask) => onChannel(discord, ask, (channel) => start(discord, channel, ask)),
  },
  "GET /channels/{channel}": {
    serve: (discord, ask) =>
      onChannel(
        discord,
        ask,
        (channel) =>
          denied(discord, discord.world.app.bot, channel) ?? ok(channelWire(discord.world, channel)),
      ),
  },
  "PATCH /channels/{channel}": {
    extraBucket: (_discord, ask) =>
      "name" in Object(ask.body)
        ? { name: "renames of channels", bucket: { size: 2, perMs: 600_000 } }
        : undefined,
    serve: (discord, ask) => onChannel(discord, ask, (channel) => alter(discord, channel, ask)),
  },
  "DELETE /channels/{channel}": {
    serve: (discord, ask) =>
      onChannel(discord, ask, (channel) => {
        const refused = denied(
          discord,
          discord.world.app.bot,
          channel,
          channel.kind === "thread" ? "ManageThreads" : "ManageChannels",
        );
        if (refused !== undefined) return refused;
        removeChannel(discord, channel);
        return ok(channelWire(discord.world, channel));
      }),
  },
  "GET /channels/{channel}/thread-members": {
    answersMany: "ThreadMemberResponse",
    serve: (discord, ask) =>
      onThread(discord, ask, (thread) =>
        ok([...thread.members.keys()].map((user) => threadMemberWire(thread, user))),
      ),
  },
  "PUT /channels/{channel}/thread-members/@me": {
    serve: (discord, ask) =>
      onThread(discord, ask, (thread) => {
        if (thread.archived) return refuse("archivedThread");
        joinThread(discord, thread, discord.world.app.bot);
        return nothing;
      }),
  },
  "DELETE /channels/{channel}/thread-members/@me": {
    serve: (discord, ask) =>
      onThread(discord, ask, (thread) => {
        leaveThread(discord, thread, discord.world.app.bot);
        return nothing;
      }),
  },
  "PUT /channels/{channel}/thread-members/{user}": {
    serve: (discord, ask) =>
      onThread(discord, ask, (thread) => {
        if (thread.archived) return refuse("archivedThread");
        if (!discord.world.guilds.get(thread.guild)?.members.has(ask.param("user")))
          return refuse("unknownMember");
        joinThread(discord, thread, ask.param("user"));
        return nothing;
      }),
  },
  "GET /guilds/{guild}/threads/active": {
    answers: "ThreadsResponse",
    serve: (discord, ask) => {
      const all = threadsOf(discord, (thread) => thread.guild === ask.param("guild") && !thread.archived);
      return ok(threadList(discord, all));
    },
  },
  "GET /channels/{channel}/threads/archived/public": {
    answers: "ThreadsResponse",
    serve: (discord, ask) => {
      const all = threadsOf(
        discord,
        (thread) => thread.parent === ask.param("channel") && thread.archived && !thread.isPrivate,
      );
      return ok(threadList(discord, all));
    },
  },
};

const onThread = (discord: Discord, ask: Ask, then: (thread: Thread) => Outcome): Outcome =>
  onChannel(discord, ask, (channel) => {
    if (channel.kind !== "thread") return refuse("wrongChannelType");
    return denied(discord, discord.world.app.bot, channel) ?? then(channel);
  });

const start = (discord: Discord, channel: AnyChannel, ask: Ask): Outcome => {
  if (channel.kind === "thread" || channel.guild === null) return refuse("wrongChannelType");
  const parent = { ...channel, guild: channel.guild };
  if (channel.kind === "voice") return refuse("wrongChannelType");
  return channel.kind === "forum" ? startPost(discord, parent, ask) : startPlain(discord, parent, ask);
};

const startPlain = (discord: Discord, parent: Channel & { readonly guild: string }, ask: Ask): Outcome => {
  const { name, auto_archive_duration: minutes, type, invitable } = startSchema.parse(ask.body);
  // Without a type Discord makes a private thread of it.
  const isPrivate = type !== 11;
  const refused = denied(
    discord,
    discord.world.app.bot,
    parent,
    isPrivate ? "CreatePrivateThreads" : "CreatePublicThreads",
  );
  if (refused !== undefined) return refused;
  const thread = openThread(discord, {
    ...ours(discord),
    parent,
    name,
    from: null,
    isPrivate,
    isInvitable: invitable ?? true,
    autoArchiveMinutes: minutes ?? DAY_MINUTES,
  });
  return ok(channelWire(discord.world, thread), 201);
};

const startPost = (discord: Discord, parent: Channel & { readonly guild: string }, ask: Ask): Outcome => {
  const {
    name,
    auto_archive_duration: minutes,
    applied_tags: tags,
    message: first,
  } = startSchema.parse(ask.body);
  const body = messageBody(first);
  const attachments = uploaded(discord, body, ask.files);
  const draft = {
    content: body.content ?? "",
    components: body.components ?? [],
    embeds: body.embeds ?? [],
    flags: body.flags ?? 0,
    attachments,
  };
  const refused =
    denied(discord, discord.world.app.bot, parent, speaking(parent)) ?? refusalOf(draftOf(draft));
  if (refused !== undefined) return refused;
  const wrong = tagRefusal(discord, parent, tags ?? []);
  if (wrong !== undefined) return wrong;
  const thread = openThread(discord, {
    ...ours(discord),
    parent,
    name,
    from: null,
    tags: tags ?? [],
    autoArchiveMinutes: minutes ?? DAY_MINUTES,
  });
  const message = post(discord, {
    ...draft,
    id: thread.id,
    channel: thread.id,
    author: discord.world.app.bot,
    allowedMentions: body.allowed_mentions,
  });
  return ok(
    { ...channelWire(discord.world, thread), message: messageWire(discord.world, message, discord.baseUrl) },
    201,
  );
};

const tagRefusal = (discord: Discord, forum: Channel, tags: readonly string[]): Outcome | undefined => {
  const known = tags.map((id) => forum.tags.find((tag) => tag.id === id));
  if (tags.length > MAX_TAGS || known.includes(undefined)) {
    return invalidForm([
      {
        path: ["applied_tags"],
        code: "CHANNEL_TAGS_INVALID",
        message: "The tags must be the forum's, five at most.",
      },
    ]);
  }
  const isHeld =
    known.some((tag) => tag?.moderated === true) &&
    !can(discord, discord.world.app.bot, forum, "ManageThreads");
  if (isHeld) return refuse("missingPermissions");
  return forum.requiresTag && tags.length === 0 ? refuse("tagRequired") : undefined;
};

const alter = (discord: Discord, channel: AnyChannel, ask: Ask): Outcome => {
  const change = alterSchema.safeParse(ask.body);
  if (!change.success) {
    return invalidForm(
      change.error.issues.map(({ path, message }) => ({
        path: path.map(String),
        code: "BASE_TYPE_BAD_TYPE",
        message,
      })),
    );
  }
  return channel.kind === "thread"
    ? alterThread(discord, channel, change.data)
    : alterChannel(discord, channel, change.data);
};

const alterChannel = (discord: Discord, channel: Channel, { name }: Alteration): Outcome => {
  const refused = denied(discord, discord.world.app.bot, channel, "ManageChannels");
  if (refused !== undefined) return refused;
  const after = { ...channel, name: name ?? channel.name };
  discord.world.putChannel(after);
  tellChannel(discord, "CHANNEL_UPDATE", after);
  return ok(channelWire(discord.world, after));
};

const alterThread = (discord: Discord, thread: Thread, change: Alteration): Outcome => {
  const bot = discord.world.app.bot;
  const refused = denied(discord, bot, thread);
  if (refused !== undefined) return refused;
  const manages = can(discord, bot, thread, "ManageThreads");
  const opens = Object.keys(change).length === 1 && change.archived === false;
  if (thread.archived && change.archived !== false) return refuse("archivedThread");
  if (change.locked !== undefined && !manages) return refuse("missingPermissions");
  if (opens) {
    if (thread.locked && !manages) return refuse("missingPermissions");
    const silenced = speechRefusal(discord, { ...thread, locked: false }, false);
    if (silenced !== undefined) return silenced;
  } else if (thread.owner !== bot && !manages) return refuse("missingPermissions");
  const after = changeThread(discord, thread, {
    ...thread,
    name: change.name ?? thread.name,
    archived: change.archived ?? thread.archived,
    locked: change.locked ?? thread.locked,
    autoArchiveMinutes: change.auto_archive_duration ?? thread.autoArchiveMinutes,
    tags: change.applied_tags ?? thread.tags,
  });
  return ok(channelWire(discord.world, after));
};

const ours = ({ world }: Discord) => ({ owner: world.app.bot, isPrivate: false });

const threadsOf = (discord: Discord, holds: (thread: Thread) => boolean): readonly Thread[] =>
  [...discord.world.channels.values()].filter(
    (one): one is Thread =>
      one.kind === "thread" && holds(one) && can(discord, discord.world.app.bot, one, "ViewChannel"),
  );

const threadList = ({ world }: Discord, threads: readonly Thread[]) => ({
  threads: threads.map((thread) => channelWire(world, thread)),
  has_more: false,
  members: threads
    .filter(({ members }) => members.has(world.app.bot))
    .map((thread) => threadMemberWire(thread, world.app.bot)),
});

const minutes = z.union([z.literal(60), z.literal(DAY_MINUTES), z.literal(4_320), z.literal(10_080)]);

const startSchema = z.object({
  name: z.string(),
  auto_archive_duration: minutes.nullish(),
  type: z.int().nullish(),
  invitable: z.boolean().nullish(),
  applied_tags: z.array(z.string()).nullish(),
  message: z.unknown().optional(),
});

const alterSchema = z.object({
  name: z.string().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
  auto_archive_duration: minutes.optional(),
  applied_tags: z.array(z.string()).max(MAX_TAGS).optional(),
});

type Alteration = z.output<typeof alterSchema>;
