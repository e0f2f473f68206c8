/** Functions of the demo that read the text of others. */

import { onwardReply } from "../../../src/features/demo/model.ts";
import { nextReply } from "../../../src/features/demo/script.ts";
import { HEAD } from "../../../src/thread/summary-prompt.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  demo: (text) => nextReply({ said: text, images: 0, calls: [], mayWrite: false }),
  "demo, onward": (text) =>
    onwardReply({
      prefix: { system: "", tools: [], hash: "" },
      messages: [{ role: "user", content: [{ kind: "text", text: `${HEAD}\n${text}` }] }],
    }),
};
