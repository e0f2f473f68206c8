/** Questions that a platform suggests to a person. */

import type { Suggestion } from "../../ports/chat.ts";
import type { Say } from "../../i18n/say.ts";

export const suggestionsFor = (say: Say): readonly Suggestion[] => [
  { title: say("Find something"), message: say("Where in the repository is the configuration read?") },
  { title: say("Explain a failure"), message: say("Explain this stack trace and where it comes from:") },
  { title: say("What can you do?"), message: "help" },
];
