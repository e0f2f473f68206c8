/** What a person does, as data, for tests that run the fake as a process of its own. */

import { z } from "zod";
import type { FakeSlack } from "../fake.ts";

const place = { channel: z.string(), ts: z.string() };

export const deedSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("say"),
    text: z.string(),
    channel: z.string().optional(),
    thread: z.string().optional(),
    /** Bytes as base64. */
    files: z.array(z.object({ name: z.string(), data: z.string() })).optional(),
  }),
  z.object({ kind: z.literal("edit"), ...place, text: z.string() }),
  z.object({ kind: z.literal("remove"), ...place }),
  z.object({ kind: z.literal("react"), ...place, name: z.string() }),
  z.object({ kind: z.literal("unreact"), ...place, name: z.string() }),
  z.object({ kind: z.literal("click"), ...place, label: z.string() }),
  z.object({ kind: z.literal("choose"), ...place, label: z.string() }),
  z.object({ kind: z.literal("messageShortcut"), ...place, callbackId: z.string() }),
  z.object({ kind: z.literal("globalShortcut"), callbackId: z.string() }),
  z.object({ kind: z.literal("command"), command: z.string(), text: z.string(), channel: z.string() }),
  z.object({ kind: z.literal("submit"), values: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal("openAssistant"), channel: z.string().optional() }),
  z.object({ kind: z.literal("openMessages"), channel: z.string().optional() }),
  z.object({ kind: z.literal("openHome") }),
  z.object({ kind: z.literal("stopStream"), ...place }),
  z.object({ kind: z.literal("stopSession"), ...place }),
]);

export type Deed = Readonly<z.infer<typeof deedSchema>>;

/** Does it; answers with where the message is, or how the interaction was acknowledged (waits for that). */
export const perform = async (fake: FakeSlack, name: string, deed: Deed): Promise<object> => {
  const human = fake.as(name);
  switch (deed.kind) {
    case "say": {
      const files = (deed.files ?? []).map((file) => ({
        name: file.name,
        bytes: Buffer.from(file.data, "base64"),
      }));
      return human.say(deed.text, {
        files,
        ...(deed.channel === undefined ? {} : { channel: deed.channel }),
        ...(deed.thread === undefined ? {} : { thread: deed.thread }),
      });
    }
    case "edit":
      human.edit(deed, deed.text);
      return {};
    case "remove":
      human.remove(deed);
      return {};
    case "react":
      human.react(deed, deed.name);
      return {};
    case "unreact":
      human.unreact(deed, deed.name);
      return {};
    case "click":
      return human.click(deed, deed.label).ended;
    case "choose":
      return human.choose(deed, deed.label).ended;
    case "messageShortcut":
      return human.messageShortcut(deed.callbackId, deed).ended;
    case "globalShortcut":
      return human.globalShortcut(deed.callbackId).ended;
    case "command":
      return human.command(deed.command, deed.text, deed.channel).ended;
    case "submit":
      return human.submit(deed.values).ended;
    case "openAssistant":
      return human.openAssistant(deed.channel === undefined ? undefined : { channel: deed.channel });
    case "openMessages":
      return {
        channel: human.openMessages(deed.channel === undefined ? undefined : [{ channel: deed.channel }]),
      };
    case "openHome":
      human.openHome();
      return {};
    case "stopStream":
      human.stopStream(deed);
      return {};
    case "stopSession":
      human.stopSession(deed);
      return {};
  }
};
