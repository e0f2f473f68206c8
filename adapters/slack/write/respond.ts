/** An answer by the address that came with a command or a shortcut: it reaches people where the bot is no member. */

import type { Log } from "../../../src/ports/host.ts";
import { isSlackUrl } from "../read/download.ts";
import { section } from "./blocks.ts";
import { escaped } from "./markup.ts";

const PATIENCE = 10_000;
const MAX_TEXT = 3_000;

/** Null takes the message away that it came from. False where it did not arrive: the address works for half an hour. */
export const createRespond =
  (apiUrl: string | undefined, log: Log) =>
  async (url: string, text: string | null): Promise<boolean> => {
    if (!isSlackUrl(url, apiUrl)) return false;
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(text === null ? { delete_original: true } : privately(text)),
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch (error) {
      log.warn("Slack did not take an answer", { why: error instanceof Error ? error.name : "unknown" });
      return false;
    }
  };

const privately = (text: string) => {
  const shown = escaped(text).slice(0, MAX_TEXT);
  return { response_type: "ephemeral", text: shown, blocks: [section(shown)] };
};
