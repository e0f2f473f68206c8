/** conversations.*: what channels and threads hold. */

import { z } from "zod";
import { join } from "../people/acts.ts";
import { count, flag, joinedChannel, method, type Method, visibleChannel } from "../method.ts";
import { ok, type Outcome, refuse, violate } from "../outcome.ts";
import type { Slack } from "../slack.ts";
import { channelWire, messageWire } from "../wire.ts";
import { app, type Channel, type Message } from "../world.ts";

const historyScopes = ["channels:history", "groups:history", "im:history", "mpim:history"];
const readScopes = ["channels:read", "groups:read", "im:read", "mpim:read"];

const pageArgs = {
  cursor: z.string().optional(),
  include_all_metadata: flag.optional(),
  inclusive: flag.optional(),
  latest: z.string().optional(),
  limit: count.optional(),
  oldest: z.string().optional(),
};

interface PageArgs {
  readonly cursor?: string | undefined;
  readonly include_all_metadata?: boolean | undefined;
  readonly inclusive?: boolean | undefined;
  readonly latest?: string | undefined;
  readonly limit?: number | undefined;
  readonly oldest?: string | undefined;
}

const info = method({
  scopes: readScopes,
  tier: 3,
  args: { channel: z.string(), include_locale: flag.optional(), include_num_members: flag.optional() },
  run: (slack, args): Outcome => {
    const channel = visibleChannel(slack, args.channel);
    return channel.kind === "refused"
      ? channel
      : ok({
          channel: {
            ...channelWire(channel),
            ...(args.include_num_members === true ? { num_members: channel.members.size } : {}),
          },
        });
  },
});

/** Newest first, replies left out. */
const history = method({
  scopes: historyScopes,
  tier: 3,
  args: { ...pageArgs, channel: z.string() },
  run: (slack, args): Outcome => {
    const channel = joinedChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    const roots = slack.world.messages(channel.id).filter(({ threadTs }) => threadTs === undefined);
    return page(slack, roots.filter((message) => isWithin(message, args)).toReversed(), args, 100);
  },
});

/** Root first; the root stands on every page, as Slack has it. */
const replies = method({
  scopes: historyScopes,
  tier: 3,
  args: { ...pageArgs, channel: z.string(), ts: z.string() },
  run: (slack, args): Outcome => {
    const channel = joinedChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    const named = slack.world.message(channel.id, args.ts);
    if (named === undefined) {
      return refuse("thread_not_found");
    }
    const [root, ...rest] = slack.world.thread(channel.id, named.threadTs ?? named.ts);
    const given = rest.filter((message) => isWithin(message, args));
    return page(slack, given, args, 1000, root === undefined ? [] : [root]);
  },
});

const isWithin = ({ ts }: Message, { oldest, latest, inclusive = false }: PageArgs): boolean =>
  (oldest === undefined || Number(ts) > Number(oldest) || (inclusive && ts === oldest)) &&
  (latest === undefined || Number(ts) < Number(latest) || (inclusive && ts === latest));

/** `limit` of the messages after the cursor; `always` stand before them. */
const page = (
  slack: Slack,
  messages: readonly Message[],
  args: PageArgs,
  usual: number,
  always: readonly Message[] = [],
): Outcome => {
  const at = args.cursor === undefined || args.cursor === "" ? 0 : Number(args.cursor.replace("next:", ""));
  const size = Math.min(args.limit === undefined || args.limit === 0 ? usual : args.limit, 1000);
  if (!Number.isInteger(at) || at > messages.length) {
    return violate("invalid_cursor", `cursor ${args.cursor} was not handed out`);
  }
  const hasMore = at + size < messages.length;
  return ok({
    messages: [...always, ...messages.slice(at, at + size)].map((message) =>
      messageWire(slack.world, message, slack.baseUrl, { withMetadata: args.include_all_metadata === true }),
    ),
    has_more: hasMore,
    ...(hasMore ? { response_metadata: { next_cursor: `next:${at + size}` } } : {}),
  });
};

const open = method({
  scopes: ["im:write"],
  tier: 3,
  args: {
    channel: z.string().optional(),
    users: z.string().optional(),
    return_im: flag.optional(),
    prevent_creation: flag.optional(),
  },
  run: (slack, args): Outcome => {
    const [user, ...others] = (args.users ?? "").split(",").filter((id) => id !== "");
    if (others.length > 0) {
      return violate(
        "method_not_supported_for_channel_type",
        "the app opens direct channels with one person only",
      );
    }
    if (user === undefined) {
      const channel = visibleChannel(slack, args.channel ?? "");
      return channel.kind === "refused"
        ? refuse("users_list_not_supplied")
        : ok({ channel: channelWire(channel) });
    }
    const person = slack.world.users.get(user);
    if (person === undefined || person.role === "deactivated") {
      return refuse(person === undefined ? "user_not_found" : "user_disabled");
    }
    return ok({ channel: channelWire(slack.world.directChannel(user)) });
  },
});

/** A list of channels. `isShown`: of those that are of the wanted kinds. */
const listArgs = {
  types: z.string().optional(),
  exclude_archived: flag.optional(),
  cursor: z.string().optional(),
  limit: count.optional(),
};

interface ListArgs {
  readonly types?: string | undefined;
  readonly exclude_archived?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const listed = (
  slack: Slack,
  { types = "public_channel", exclude_archived: isLive = false, cursor = "", limit = 100 }: ListArgs,
  isShown: (channel: Channel) => boolean,
): Outcome => {
  const kinds = types.split(",");
  const channels = [...slack.world.channels.values()].filter(
    (one) => kinds.includes(KINDS[one.kind]) && isShown(one) && !(isLive && one.isArchived),
  );
  const at = Number(cursor);
  return ok({
    channels: channels.slice(at, at + limit).map(channelWire),
    response_metadata: { next_cursor: at + limit < channels.length ? String(at + limit) : "" },
  });
};

/** Public channels, and private ones that the app is in. */
const list = method({
  scopes: readScopes,
  tier: 2,
  args: listArgs,
  run: (slack, args): Outcome =>
    listed(slack, args, ({ kind, members: all }) => kind !== "group" || all.has(app.user)),
});

/** What the app is in, or a person: then public channels, and of the others those that both are in. */
const ofUser = method({
  scopes: readScopes,
  tier: 3,
  args: { ...listArgs, user: z.string().optional() },
  run: (slack, { user = app.user, ...args }): Outcome => {
    if (!slack.world.users.has(user)) return refuse("user_not_found");
    return listed(
      slack,
      args,
      ({ kind, members: all }) => all.has(user) && (kind === "channel" || all.has(app.user)),
    );
  },
});

const KINDS = { channel: "public_channel", group: "private_channel", im: "im", mpim: "mpim" } as const;

const members = method({
  scopes: readScopes,
  tier: 4,
  args: { channel: z.string(), cursor: z.string().optional(), limit: count.optional() },
  run: (slack, args): Outcome => {
    const channel = visibleChannel(slack, args.channel);
    return channel.kind === "refused"
      ? channel
      : ok({ members: [...channel.members], response_metadata: { next_cursor: "" } });
  },
});

const joinChannel = method({
  scopes: ["channels:join"],
  tier: 3,
  args: { channel: z.string() },
  run: (slack, args): Outcome => {
    const channel = visibleChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    if (channel.kind !== "channel") {
      return violate("method_not_supported_for_channel_type", "only public channels can be joined");
    }
    if (channel.isArchived) {
      return refuse("is_archived");
    }
    if (!channel.members.has(app.user)) {
      join(slack, channel);
    }
    return ok({ channel: channelWire(slack.world.channels.get(channel.id) ?? channel) });
  },
});

export const conversationMethods: Readonly<Record<string, Method>> = {
  "conversations.info": info,
  "conversations.history": history,
  "conversations.replies": replies,
  "conversations.open": open,
  "users.conversations": ofUser,
  "conversations.list": list,
  "conversations.members": members,
  "conversations.join": joinChannel,
};
