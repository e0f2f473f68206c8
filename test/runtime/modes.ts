/** Two work modes, for worlds that need some. */

import type { Modes } from "../../src/ports/tools.ts";

export const testModes: Modes = {
  initial: "general",
  all: [
    { key: "general", name: "General", whenToUse: "otherwise", prompt: "Do what is asked." },
    { key: "triage", name: "Triage", whenToUse: "for bugs", prompt: "Find the cause; change nothing." },
  ],
};
