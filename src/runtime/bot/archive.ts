/** A removal hides the conversation in the store first. `clear` removes data that a crash or a full disk left behind. */

import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { ActResult, ConversationFiles, Archive } from "../../ports/bot.ts";
import { DONE, type Log, type WriteFailure } from "../../ports/host.ts";
import type { Blobs, Store } from "../../ports/store.ts";
import type { Live } from "../live/conversation.ts";
import type { LiveConversations } from "../live/live-conversations.ts";
import { askConversation } from "../live/mailbox.ts";
import { stopAndSettle } from "../live/stop-and-settle.ts";
import { cleanTitle } from "./title.ts";
import { createTurns } from "./turns.ts";

interface ArchiveDeps {
  readonly store: Pick<Store, "agents" | "hide" | "hidden" | "removeSome" | "looseBlobs" | "dropBlobs">;
  readonly lives: Pick<LiveConversations, "open" | "peek" | "retire" | "reopen">;
  readonly blobs: Pick<Blobs, "remove">;
  readonly discards: ConversationFiles;
  readonly log: Log;
}

interface RunningArchive extends Archive {
  /** A call during a run waits for the next run. */
  clear(): Promise<void>;
}

export const createArchive = (deps: ArchiveDeps): RunningArchive => {
  const { store, lives, log } = deps;
  const turns = createTurns();

  const remove = async (id: ConversationId, by: PersonId): Promise<ActResult> => {
    for (;;) {
      const live = lives.open(id);
      if (live === null) return UNKNOWN;
      if (live.state().kind === "subagent") return SUB_AGENT;
      const failure = (await refuseWaiting(live, by)) ?? (await stopAndSettle(live, by));
      if (failure !== null) return failure;
      if (await lives.retire(live)) return hide(live);
    }
  };

  const hide = async (live: Live): Promise<ActResult> => {
    const { id } = live.state();
    const agents = store.agents(id);
    await Promise.all(agents.flatMap((agent) => lives.peek(agent) ?? []).map(lives.retire));
    const hidden = await store.hide(id);
    if (hidden.kind === "failed") {
      for (const one of [id, ...agents]) lives.reopen(one);
      return hidden;
    }
    live.gone();
    await clear();
    return DONE;
  };

  const clear = (): Promise<void> => turns.take("", clearOnce);

  const clearOnce = async (): Promise<void> => {
    for (const id of store.hidden()) await deps.discards.discard(id);
    const failure = (await removeRows()) ?? (await removeBlobs());
    // The next process removes the rest if this one is ending.
    if (failure !== null && failure.code !== "closing")
      log.warn("archive: removed conversations not fully deleted", { code: failure.code });
  };

  const removeRows = async (): Promise<WriteFailure | null> => {
    for (;;) {
      const removed = await store.removeSome();
      if (removed.kind === "failed") return removed;
      if (!removed.more) return null;
    }
  };

  const removeBlobs = async (): Promise<WriteFailure | null> => {
    for (;;) {
      const loose = await store.looseBlobs();
      if (loose.kind === "failed") return loose;
      if (loose.hashes.length === 0) return null;
      const gone = await Promise.all(loose.hashes.map(deps.blobs.remove));
      const dropped = await store.dropBlobs(loose.hashes.filter((_, at) => gone[at]?.kind === "done"));
      const failed = [...gone, dropped].find((one) => one.kind === "failed");
      if (failed !== undefined) return failed;
    }
  };

  return {
    rename: async (id, title, by) => {
      const live = lives.open(id);
      return live === null ? UNKNOWN : ((await live.setTitle(cleanTitle(title), by)) ?? DONE);
    },
    archive: async (id, archived, by) => {
      const live = lives.open(id);
      if (live === null) return UNKNOWN;
      if (live.state().kind === "subagent") return SUB_AGENT;
      const failure = archived ? ((await refuseWaiting(live, by)) ?? (await stopAndSettle(live, by))) : null;
      return failure ?? (await live.setArchived(archived)) ?? DONE;
    },
    remove,
    clear,
  };
};

/** Otherwise a waiting message would start after the stop. */
const refuseWaiting = async (live: Live, by: PersonId): Promise<WriteFailure | null> => {
  for (const { message } of live.state().waiting ?? []) {
    const done = await askConversation(live, { kind: "waitingRefused", message, why: "archived" }, by);
    if (done.kind === "failed") return done;
  }
  return null;
};

const UNKNOWN: ActResult = { kind: "unknown" };
const SUB_AGENT: ActResult = { kind: "refused", why: "sub_agent" };
