/** A channel or thread as people see it, for snapshots. Pure. */

import { z } from "zod";
import { componentsIn, EPHEMERAL, LOADING } from "./content.ts";
import type { Json, Message, World } from "./world.ts";

export const channelAsText = (world: World, channel: string): string =>
  world
    .messages(channel)
    .flatMap((message) => (message.type === 18 || message.type === 21 ? [] : [messageAsText(world, message)]))
    .join("");

export const messageAsText = (world: World, message: Message): string => {
  const author = world.users.get(message.author);
  const notes = [
    ...(author?.isBot === true ? ["bot"] : []),
    ...(message.editedAt === null ? [] : ["edited"]),
    ...((message.flags & EPHEMERAL) === 0
      ? []
      : [`only for @${world.users.get(message.onlyFor ?? "")?.name ?? "?"}`]),
    ...((message.flags & LOADING) === 0 ? [] : ["thinking"]),
    ...(message.type === 19 ? ["reply"] : []),
  ];
  const head = `--- from: @${author?.name ?? "?"}${notes.map((note) => ` (${note})`).join("")}`;
  const lines = [
    head,
    ...(message.content === "" ? [] : [named(world, message.content)]),
    ...forwardedLines(message.parts),
    ...componentLines(message.components).map((line) => named(world, line)),
    ...message.embeds.map(({ type, url }) => `[${String(type)} ${String(url)}]`),
    ...message.attachments.map(({ name, bytes }) => `[file ${name}, ${bytes.length} bytes]`),
  ];
  return `${lines.join("\n")}\n`;
};

const forwardedLines = ({ message_snapshots: snapshots = [] }: Json): readonly string[] =>
  forwarded
    .parse(snapshots)
    .flatMap(({ message: { content, attachments } }) => [
      `> (forwarded) ${content}`,
      ...attachments.map(({ filename }) => `> [file ${filename}]`),
    ]);

const forwarded = z.array(
  z.object({
    message: z.object({ content: z.string(), attachments: z.array(z.object({ filename: z.string() })) }),
  }),
);

const componentLines = (components: readonly Json[]): readonly string[] => {
  const all = componentsIn(components);
  const texts = all.flatMap((one) => (one["type"] === 10 ? [String(one["content"])] : []));
  const controls = all.flatMap((one) => {
    if (one["type"] === 2)
      return [`[${String(one["label"])}${one["disabled"] === true ? " (disabled)" : ""}]`];
    return one["type"] === 3 ? [`[menu ${String(one["custom_id"])}]`] : [];
  });
  return [...texts, ...(controls.length === 0 ? [] : [controls.join(" ")])];
};

const named = (world: World, text: string): string =>
  text.replaceAll(/<@!?(\d+)>/g, (all, id: string) => {
    const user = world.users.get(id);
    return user === undefined ? all : `@${user.name}`;
  });
