/** Uploads: an address, the bytes, and the sharing (files.getUploadURLExternal and completeUploadExternal), files.info. */

import { z } from "zod";
import { post } from "../people/acts.ts";
import { blocksProblem, withIds } from "../people/content.ts";
import { count, json, method, type Method, writableChannel } from "../method.ts";
import { ok, type Outcome, refuse, violate } from "../outcome.ts";
import { fileWire } from "../wire.ts";
import type { Slack } from "../slack.ts";
import { app, type File, type Json } from "../world.ts";
import { threadRoot } from "./chat.ts";

const getUploadUrl = method({
  scopes: ["files:write"],
  tier: 4,
  args: {
    filename: z.string().min(1),
    length: count,
    snippet_type: z.string().optional(),
    alt_text: z.string().optional(),
    alt_txt: z.string().optional(),
  },
  run: (slack, args): Outcome => {
    if (args.length === 0) {
      return violate("invalid_arguments", "length: an upload has at least one byte");
    }
    const id = slack.world.nextId("F");
    slack.world.files.set(id, {
      id,
      name: args.filename,
      title: args.filename,
      user: app.user,
      size: args.length,
      begun: slack.clock.now(),
      isShared: false,
    });
    return ok({ upload_url: `${slack.baseUrl}/upload/${id}`, file_id: id });
  },
});

const given = z.array(
  z.object({ id: z.string(), title: z.string().optional(), highlight_type: z.string().optional() }),
);

const completeUpload = method({
  scopes: ["files:write"],
  tier: 4,
  args: {
    files: json,
    channel_id: z.string().optional(),
    thread_ts: z.string().optional(),
    initial_comment: z.string().optional(),
    blocks: json.optional(),
  },
  run: (slack, args): Outcome => {
    const wanted = given.safeParse(args.files);
    if (!wanted.success || wanted.data.length === 0) {
      return violate("invalid_arguments", "files: a JSON array of {id, title?}");
    }
    const files = wanted.data.map(({ id, title }): File | undefined => {
      const file = slack.world.files.get(id);
      return file?.bytes === undefined || file.isShared ? undefined : { ...file, title: title ?? file.name };
    });
    const uploaded = files.filter((file) => file !== undefined);
    if (uploaded.length < files.length) {
      return refuse("file_not_found");
    }
    const blocks = z.array(z.record(z.string(), z.unknown())).safeParse(args.blocks ?? []);
    const unfit = blocks.success
      ? blocksProblem(slack.schema, blocks.data)
      : violate("invalid_blocks", "not an array");
    if (unfit !== undefined) {
      return unfit;
    }
    // python-slack-sdk#1756: whatever else is right about the call.
    if (blocks.data?.some(({ type }) => type === "markdown") === true) return refuse("internal_error");
    const channel = args.channel_id === undefined ? undefined : writableChannel(slack, args.channel_id);
    if (channel?.kind === "refused") {
      return channel;
    }
    const root = channel === undefined ? undefined : threadRoot(slack, channel.id, args.thread_ts);
    if (root?.kind === "refused") {
      return root;
    }
    for (const file of uploaded) {
      slack.world.files.set(file.id, { ...file, isShared: true });
    }
    if (channel !== undefined) {
      const said = args.initial_comment ?? "";
      const share = () =>
        post(slack, {
          channel: channel.id,
          user: app.user,
          botId: app.bot,
          text: said,
          files: uploaded.map(({ id }) => id),
          subtype: "file_share",
          // Blocks beside an initial comment are ignored.
          ...(said === "" && blocks.data !== undefined && blocks.data.length > 0
            ? { blocks: withIds(blocks.data, () => slack.world.nextId("b")) }
            : {}),
          ...(root?.ts === undefined ? {} : { threadTs: root.ts }),
        });
      if (slack.times.shareDelayMs === 0) share();
      else slack.clock.after(slack.times.shareDelayMs, share);
    }
    return ok({ files: uploaded.map((file) => fileWire(file, slack.baseUrl)) });
  },
});

const info = method({
  scopes: ["files:read"],
  tier: 4,
  args: { file: z.string() },
  run: (slack, args): Outcome => {
    const file = slack.world.files.get(args.file);
    return file?.bytes === undefined
      ? refuse("file_not_found")
      : ok({ file: { ...fileWire(file, slack.baseUrl), shares: sharesOf(slack, file.id) } });
  },
});

/** The messages that the file stands in, by the kind of channel and the channel. */
const sharesOf = ({ world }: Slack, file: string): Json => {
  const places = [...world.channels.values()].map(({ id, kind }) => {
    const found = world.messages(id).filter(({ files }) => files.includes(file));
    const shares = found.map(({ ts, threadTs }) => ({
      ts,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    }));
    return { id, kind, shares };
  });
  const of = (isPublic: boolean): Json =>
    Object.fromEntries(
      places.flatMap(({ id, kind, shares }) =>
        (kind === "channel") === isPublic && shares.length > 0 ? [[id, shares]] : [],
      ),
    );
  return { public: of(true), private: of(false) };
};

export const fileMethods: Readonly<Record<string, Method>> = {
  "files.getUploadURLExternal": getUploadUrl,
  "files.completeUploadExternal": completeUpload,
  "files.info": info,
};
