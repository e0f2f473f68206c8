/** The pages' pictures: threads drawn from the payloads that the adapters posted, in the look of each platform. Pure. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../app/cli/host.ts";
import { drawThread } from "./picture/draw.ts";
import { LOOKS } from "./picture/looks.ts";
import { discordMessages, slackMessages } from "./picture/parts.ts";

/** Recorded threads (`test/threads/golden/pictured`) with their descriptions. */
const PICTURES = {
  "ask.slack": "Slack thread: a question, its answer, and a card with the buttons Approve and Deny",
  "ask.discord": "Discord thread: a question, its answer, and a card with the buttons Approve and Deny",
  "change.slack": "Slack thread: a change, approved by alice, and the answer with its diff",
  "change.discord": "Discord thread: a change, approved by maria, and the answer with its diff",
  "result.slack": "Slack thread: a finished change with its test and diff, and the button Apply",
  "held.slack": "Slack thread: a command that safe mode holds, with the buttons Once and Deny",
} as const;

/** Paths and texts of all pictures. */
export const pictures = (): readonly (readonly [path: string, svg: string])[] =>
  Object.entries(PICTURES).flatMap(([name, alt]) => {
    const json = readFileSync(join(root, "test/threads/golden/pictured", `${name}.json`), "utf8");
    const [story, platform] = name.split(".");
    const messages = platform === "slack" ? slackMessages(json) : discordMessages(json);
    const looks = platform === "slack" ? LOOKS.slack : LOOKS.discord;
    return Object.entries(looks).map(
      ([light, look]) =>
        [
          join(root, "docs/threads", `${platform}-${story}-${light}.svg`),
          drawThread(messages, look, alt),
        ] as const,
    );
  });
