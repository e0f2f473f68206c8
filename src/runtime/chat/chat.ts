/** The manners of one connection to a chat platform, put together. They hold no state of their own. */

import type { Chat } from "../ports-chat.ts";
import { createAsked } from "./asked.ts";
import { createClicked } from "./clicked.ts";
import { isStop } from "./command.ts";
import type { ChatDeps } from "./deps.ts";
import { createPicked } from "./picked.ts";
import { createRemoved } from "./removed.ts";
import { createSaid } from "./said.ts";
import { createSlash } from "./slash.ts";

export const createChat = (deps: ChatDeps): Chat => {
  const said = createSaid(deps);
  const asked = createAsked(deps, said);
  return {
    said,
    clicked: createClicked(deps),
    picked: createPicked(deps, said),
    asked,
    removed: createRemoved(deps),
    slash: createSlash(deps, asked),
    stops: isStop,
  };
};
