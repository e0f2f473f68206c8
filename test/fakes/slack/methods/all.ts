/** Every Web API method that the fake knows; any other is answered as Slack does and recorded as a violation. */

import type { Method } from "../method.ts";
import { assistantMethods } from "./assistant.ts";
import { chatMethods } from "./chat.ts";
import { conversationMethods } from "./conversations.ts";
import { fileMethods } from "./files.ts";
import { homeMethods } from "./home.ts";
import { manifestMethods } from "./manifest.ts";
import { peopleMethods } from "./people.ts";
import { reactionMethods } from "./reactions.ts";
import { sessionMethods } from "./sessions.ts";
import { streamMethods } from "./streams.ts";
import { viewMethods } from "./views.ts";

export const methods: Readonly<Record<string, Method>> = {
  ...assistantMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...homeMethods,
  ...manifestMethods,
  ...peopleMethods,
  ...reactionMethods,
  ...sessionMethods,
  ...streamMethods,
  ...viewMethods,
};
