/** What a person does, as data, for tests that run the fake as a process of its own. */

import { z } from "zod";
import type { FakeDiscord } from "../fake.ts";

const place = { channel: z.string(), id: z.string() };

export const deedSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("say"), channel: z.string(), text: z.string(), replyTo: z.string().optional() }),
  z.object({ kind: z.literal("whisper"), text: z.string() }),
  z.object({ kind: z.literal("edit"), ...place, text: z.string() }),
  z.object({ kind: z.literal("remove"), ...place }),
  z.object({ kind: z.literal("react"), ...place, emoji: z.string() }),
  z.object({ kind: z.literal("click"), ...place, label: z.string() }),
  z.object({ kind: z.literal("choose"), ...place, label: z.string() }),
  z.object({
    kind: z.literal("command"),
    channel: z.string(),
    path: z.string(),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  z.object({ kind: z.literal("messageCommand"), ...place, name: z.string() }),
  z.object({
    kind: z.literal("openThread"),
    channel: z.string(),
    name: z.string(),
    from: z.string().optional(),
    isPrivate: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal("ask"),
    forum: z.string(),
    name: z.string(),
    text: z.string(),
    tags: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal("archive"), thread: z.string() }),
  z.object({ kind: z.literal("lock"), thread: z.string() }),
]);

export type Deed = Readonly<z.infer<typeof deedSchema>>;

/** Does it; answers with where the message is, or how the interaction was answered (waits for that). */
export const perform = async (fake: FakeDiscord, name: string, deed: Deed): Promise<object> => {
  const human = fake.as(name);
  switch (deed.kind) {
    case "say":
      return human.say(deed.channel, deed.text, deed.replyTo === undefined ? {} : { replyTo: deed.replyTo });
    case "whisper":
      return human.whisper(deed.text);
    case "edit":
      human.edit(deed, deed.text);
      return {};
    case "remove":
      human.remove(deed);
      return {};
    case "react":
      human.react(deed, deed.emoji);
      return {};
    case "click":
      return human.click(deed, deed.label).ended;
    case "choose":
      return human.choose(deed, deed.label).ended;
    case "command":
      return human.command(deed.channel, deed.path, deed.options).ended;
    case "messageCommand":
      return human.messageCommand(deed, deed.name).ended;
    case "openThread":
      return {
        thread: human.openThread(deed.channel, deed.name, {
          ...(deed.from === undefined ? {} : { from: deed.from }),
          ...(deed.isPrivate === undefined ? {} : { isPrivate: deed.isPrivate }),
        }),
      };
    case "ask":
      return human.ask(deed.forum, {
        name: deed.name,
        text: deed.text,
        ...(deed.tags === undefined ? {} : { tags: deed.tags }),
      });
    case "archive":
      human.archive(deed.thread);
      return {};
    case "lock":
      human.lock(deed.thread);
      return {};
  }
};
