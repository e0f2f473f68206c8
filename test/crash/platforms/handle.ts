/** What becomes of a message, as short as it can be: a mention begins a conversation, everything in it is said. */

import type { Bot } from "../../../src/ports/bot.ts";
import type { HandleResult, InboxRow, ChatMessage } from "../../../src/ports/chat.ts";
import type { Repo } from "../../../src/ports/conversation.ts";
import type { Ledger } from "../../../src/ports/surface.ts";

export const createHandle =
  (
    surface: string,
    bot: Pick<Bot, "create" | "say">,
    ledger: Pick<Ledger, "find">,
    saidOf: (row: InboxRow) => ChatMessage | null,
    repo: Repo,
  ) =>
  async (row: InboxRow): Promise<HandleResult> => {
    const said = saidOf(row);
    if (said === null) return "done";
    const { id, place, text, person } = said;
    const root = said.root ?? said.message;
    const speaker = { id: `${surface}:${person}`, mayDrive: true, mayApprove: true } as const;
    const known = ledger.find(surface, place, root)?.conversation;
    if (known === undefined) {
      const thread = { place, root };
      const created = await bot.create({ surface, repo, title: "Day", by: speaker.id, thread });
      if (created.kind === "failed") return "later";
    }
    const conversation = ledger.find(surface, place, root)?.conversation;
    if (conversation === undefined) return "later";
    const result = await bot.say({ surface, id, conversation, speaker, text, images: [] });
    return result.kind === "accepted" || result.kind === "duplicate" ? "done" : "later";
  };
