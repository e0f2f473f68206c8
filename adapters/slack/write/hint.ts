/**
 * Displays the current work in Slack's own status line below the thread, which is no message and notifies
 * nobody (TH2).
 */

import type { webApi } from "@slack/bolt";
import type { Surface } from "../../../src/ports/surface.ts";
import { unmarked } from "./blocks.ts";
import type { SessionView } from "./sessions.ts";
import { attemptSlackCall } from "../api/failure.ts";

const LONGEST = 50;

/** This process requests no status after a permanent refusal. */
export const hintTo = (client: webApi.WebClient, sessions: SessionView): Surface["hint"] => {
  let isRefused = false;
  return async (thread, text) => {
    if (isRefused) return REFUSED;
    const { place, root } = thread;
    // Slack shows every status as the work of a session, so a late status would display an ended turn as running.
    const session = sessions.statusOf(thread);
    if (text !== null && session !== null && session !== "processing") return { kind: "done", id: root };
    // Slack shows the lines in turn.
    const [status = "", ...more] = unmarked(text ?? "")
      .split("\n")
      .map((line) => line.slice(0, LONGEST));
    const outcome = await attemptSlackCall(async () => {
      await client.assistant.threads.setStatus({
        channel_id: place,
        thread_ts: root,
        status,
        ...(status === ""
          ? {}
          : { loading_messages: [`${status.charAt(0).toUpperCase()}${status.slice(1)}`, ...more] }),
      });
      return { kind: "done", id: root } as const;
    });
    if (outcome.kind === "done" || outcome.kind === "unknown")
      sessions.changed(thread, status === "" ? "active" : "processing");
    // A missing scope for the status alone must not close the thread.
    const refused = outcome.kind === "gone" || (outcome.kind === "refused" && outcome.permanent);
    isRefused ||= refused;
    return refused ? REFUSED : outcome;
  };
};

const REFUSED = { kind: "refused", why: "Slack takes no status here", permanent: true } as const;
