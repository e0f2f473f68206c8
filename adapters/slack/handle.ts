/** A kept arrival handled: Slack's payload becomes a question to the shared manners. Runs again after a crash. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Log } from "../../src/runtime/ports.ts";
import type { Chat, ClickAction, Handled, InboxRow, Said } from "../../src/runtime/ports-chat.ts";
import type { Identity } from "./identity.ts";
import { type Pressed, readBody, saidOf } from "./inbound.ts";
import { PICK_ACTION } from "./notes.ts";
import { unreadOf } from "./people.ts";
import { slackMessage } from "./wire.ts";

export interface HandleDeps {
  readonly client: webApi.WebClient;
  readonly self: Identity;
  readonly chat: Chat;
  readonly log: Log;
}

export const createHandle =
  (deps: HandleDeps) =>
  async ({ body }: InboxRow): Promise<Handled> => {
    const read = readBody(body);
    switch (read?.kind) {
      case undefined:
        return "done";
      case "message": {
        const said = saidOf(read, deps.self);
        return said === null ? "done" : deps.chat.said(said);
      }
      case "panel":
        await greet(deps, read.channel, read.thread);
        return "done";
      case "action":
        return press(deps, read);
    }
  };

const press = async (deps: HandleDeps, pressed: Pressed): Promise<Handled> => {
  const { user: person, channel: place, message, thread: root, value, action } = pressed;
  const direct = place.startsWith("D");
  if (action === PICK_ACTION) {
    if (root === null) return "done";
    const said = await reread(deps, place, root, pressed.block);
    return deps.chat.picked({ place, root, person, direct, repo: value, message, said });
  }
  const known = CLICKS[action.replace(/^parley_/, "")];
  return known === undefined
    ? "done"
    : deps.chat.clicked({ place, root, direct, person, action: known, value, comment: null });
};

const CLICKS: Readonly<Record<string, ClickAction>> = {
  approve: "approve",
  deny: "deny",
  retry: "retry",
  stop: "stop",
  stop_and_send: "stop_and_send",
};

/** The message that waited for a repository, as it reads now; null where it is gone. */
const reread = async (
  { client, self, log }: HandleDeps,
  channel: string,
  root: string,
  ts: string,
): Promise<Said | null> => {
  try {
    const answer = await client.conversations.replies({
      channel,
      ts: root,
      oldest: ts,
      latest: ts,
      inclusive: true,
      limit: 1,
    });
    const message = replies.parse(answer).messages.find((one) => one.ts === ts);
    if (message === undefined) return null;
    return saidOf({ kind: "message", channel, isDirect: channel.startsWith("D"), message }, self);
  } catch (error) {
    log.warn("the message that waited for a repository could not be read", { why: unreadOf(error).why });
    return null;
  }
};

/** A new assistant thread: what one could ask. Where the workspace has no panel, nothing is missing. */
const greet = async ({ client, log }: HandleDeps, channel: string, thread: string): Promise<void> => {
  try {
    await client.assistant.threads.setSuggestedPrompts({
      channel_id: channel,
      thread_ts: thread,
      title: "Ask about the repository",
      prompts: PROMPTS,
    });
  } catch (error) {
    log.warn("the assistant panel got no suggestions", { why: unreadOf(error).why });
  }
};

const PROMPTS: [{ title: string; message: string }, ...{ title: string; message: string }[]] = [
  { title: "Find something", message: "Where in the repository is the configuration read?" },
  { title: "Explain a failure", message: "Explain this stack trace and where it comes from:" },
  { title: "What can you do?", message: "help" },
];

const replies = z.object({ messages: z.array(slackMessage) });
