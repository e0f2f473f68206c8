/** Words of the host that every surface uses: buttons, decisions, notices. Pure; a surface brings its own marks. */

import type { Notice } from "./transcript.ts";
import type { Ask, Choice } from "./words.ts";

/** How a surface writes what is not its own prose. */
export interface Marks {
  /** Ids, names and keys, as code. */
  readonly code: (text: string) => string;
  /** Sentences made elsewhere in the host, escaped. */
  readonly plain: (text: string) => string;
  /** A conversation, as a link to its thread where there is one. */
  readonly thread: (id: string) => string;
}

export const CHOICE_LABELS: Readonly<Record<Choice, string>> = {
  approve: "Approve",
  deny: "Deny",
  once: "Once",
  session: "This thread",
  stay: "Stay",
  switch: "Switch",
  branch: "Switch in a new thread",
};

/** Before "by PERSON". */
export const DECIDED: Readonly<Record<Choice, string>> = {
  approve: "Approved",
  deny: "Denied",
  once: "Allowed once",
  session: "Allowed for this thread",
  stay: "Declined",
  switch: "Switched",
  branch: "Switched in a new thread",
};

/** What a question is about, one sentence. */
export const askText = (ask: Ask, { code }: Pick<Marks, "code">): string => {
  switch (ask.kind) {
    case "upgrade":
      return "The agent asks for write access: Unrestricted mode.";
    case "danger":
      return `Safe mode holds a call: ${ask.categories.map(code).join(", ")}.`;
    case "mode":
      return `The agent proposes the work mode ${code(ask.mode)}.`;
  }
};

export const noticeText = (notice: Notice, { code, plain, thread }: Marks): string => {
  switch (notice.kind) {
    case "stopped":
      return `Stopped by ${code(notice.by)}.${notice.skipped === 0 ? "" : ` ${calls(notice.skipped)} skipped.`}`;
    case "interrupted":
      return "Interrupted by a restart of the host. Nothing that was running is run again by itself.";
    case "failed":
      return `${plain(notice.failure.message)}${notice.attempts > 1 ? ` Tried ${notice.attempts} times.` : ""}`;
    case "permission":
      return notice.to === "unrestricted"
        ? `Now **Unrestricted**, approved by ${code(notice.by)}.`
        : `Now **Restricted**, set by ${code(notice.by)}. It holds for every tool call that had not begun.`;
    case "mode":
      return `Work mode ${code(notice.to)} instead of ${code(notice.from)}, set by ${code(notice.by)}.`;
    case "safeMode":
      return notice.on
        ? `Safe mode is **on**, set by ${code(notice.by)}: dangerous calls ask first.`
        : `Safe mode is **off**, set by ${code(notice.by)}: nothing asks, everything is logged.`;
    case "grants":
      return `Allowed for this thread by ${code(notice.by)}: ${notice.categories.map(code).join(", ")}.`;
    case "paused":
      return "Several requests were denied today, so the agent puts no more before you until tomorrow. An approval ends the pause.";
    case "branched":
      return notice.to === null
        ? `The new thread in mode ${code(notice.mode)} could not be opened. Ask again to try once more.`
        : `Goes on in mode ${code(notice.mode)} here: ${thread(notice.to)}`;
    case "empty":
      return "The model ended its turn without an answer.";
    case "refused":
      return "The model declined to answer.";
    case "cut":
      return "The answer ends here: it was cut off.";
  }
};

const calls = (count: number): string => (count === 1 ? "1 call" : `${count} calls`);
