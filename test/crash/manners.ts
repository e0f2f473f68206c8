/** What becomes of a message, as short as it can be: a mention begins a conversation, everything in it is said. */

import type { Ledger } from "../../src/runtime/ports-surface.ts";
import type { Bot } from "../../src/runtime/ports.ts";
import type { Handled, InboxRow } from "../../src/runtime/ports-chat.ts";
import { type Ears, saidOf } from "../../adapters/slack/inbound.ts";
import { readBody } from "../../adapters/slack/read.ts";

export const self: Ears["self"] = { team: "T0FAKE", user: "UPARLEY", bot: "B0PARLEY", name: "parley" };

export const earsOf = (ledger: Pick<Ledger, "find">): Ears => ({
  self,
  stops: () => false,
  knows: (place, root) => ledger.find("slack", place, root) !== null,
});

/** The events that Slack sends for one message: itself, and in a channel the mention of the bot. */
export const eventsOf = (channel: string, message: Readonly<Record<string, string>>): readonly unknown[] =>
  ["message", "app_mention"].map((type) => ({
    type: "event_callback",
    event: { ...message, type, channel },
  }));

export const createHandle =
  (bot: Pick<Bot, "create" | "say">, ledger: Pick<Ledger, "find">) =>
  async ({ body }: InboxRow): Promise<Handled> => {
    const read = readBody(body);
    const said = read?.kind === "message" ? saidOf(read, self) : null;
    if (said === null) return "done";
    const { id, place, text, person } = said;
    const root = said.root ?? said.message;
    const speaker = { id: `slack:${person}`, mayDrive: true, mayApprove: true } as const;
    const repo = { kind: "path", location: "/repo" } as const;
    const known = ledger.find("slack", place, root)?.thread.conversation;
    if (known === undefined) {
      const thread = { place, root };
      const created = await bot.create({ surface: "slack", repo, title: "Day", by: speaker.id, thread });
      if (created.kind === "failed") return "later";
    }
    const conversation = ledger.find("slack", place, root)?.thread.conversation;
    if (conversation === undefined) return "later";
    const result = await bot.say({ surface: "slack", id, conversation, speaker, text, images: [] });
    return result.kind === "accepted" || result.kind === "duplicate" ? "done" : "later";
  };
