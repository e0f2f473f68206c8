/** An answer through a `response_url`. */

import { z } from "zod";
import { change, post, remove } from "./people/acts.ts";
import { type Accepted, acceptContent } from "./people/content.ts";
import { ok, type Outcome, refuse, violate } from "./outcome.ts";
import type { ResponseTarget } from "./response-urls.ts";
import type { Slack } from "./slack.ts";
import { app, type Json } from "./world.ts";

const bodySchema = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  /** Unset: seen by the person alone. */
  response_type: z.enum(["ephemeral", "in_channel"]).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
});

type Body = z.infer<typeof bodySchema>;

export const respond = (slack: Slack, id: string, given: Json): Outcome => {
  const body = bodySchema.safeParse(given);
  if (!body.success) {
    return violate("invalid_payload", z.prettifyError(body.error));
  }
  const target = slack.responseUrls.use(id);
  if (target === undefined) {
    return refuse("used_url");
  }
  if (body.data.delete_original === true) {
    return deleteOriginal(slack, target);
  }
  const content = acceptContent(slack.schema, body.data, () => slack.world.nextId("b"));
  if (content.kind === "refused") {
    return content;
  }
  return body.data.replace_original === true
    ? replaceOriginal(slack, target, content.value)
    : add(slack, target, content.value, body.data);
};

const deleteOriginal = (slack: Slack, { channel, original }: ResponseTarget): Outcome => {
  const message = original?.kind === "message" ? slack.world.message(channel, original.ts) : undefined;
  if (message !== undefined) {
    remove(slack, message);
  }
  if (original?.kind === "ephemeral") {
    slack.world.hide(channel, original.ts);
  }
  return ok();
};

const replaceOriginal = (slack: Slack, { channel, original }: ResponseTarget, content: Accepted): Outcome => {
  if (original?.kind === "ephemeral") {
    const shown = slack.world.ephemerals.find(({ ts }) => ts === original.ts);
    slack.world.hide(channel, original.ts);
    if (shown !== undefined) {
      const { blocks: _blocks, ...kept } = shown;
      slack.world.ephemerals.push({ ...kept, ...shownContent(content) });
    }
    return ok();
  }
  const before = original === undefined ? undefined : slack.world.message(channel, original.ts);
  if (before === undefined) {
    return refuse("message_not_found");
  }
  const { blocks: _blocks, attachments: _attachments, ...kept } = before;
  change(slack, before, { ...kept, ...content, edited: { user: app.user, ts: slack.world.nextTs() } });
  return ok();
};

const add = (slack: Slack, target: ResponseTarget, content: Accepted, body: Body): Outcome => {
  const root = body.thread_ts ?? target.threadTs;
  const thread = root === undefined ? {} : { threadTs: root };
  if (body.response_type === "in_channel") {
    post(slack, { ...content, ...thread, channel: target.channel, user: app.user, botId: app.bot });
  } else {
    slack.world.ephemerals.push({
      ...shownContent(content),
      ...thread,
      channel: target.channel,
      ts: slack.world.nextTs(),
      for: target.user,
    });
  }
  return ok();
};

const shownContent = ({ text, blocks }: Accepted): Pick<Accepted, "text" | "blocks"> => ({
  text,
  ...(blocks === undefined ? {} : { blocks }),
});
