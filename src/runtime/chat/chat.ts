/** The manners of one connection to a chat platform, put together. They hold no state of their own. */

import type { Chat } from "../../ports/chat.ts";
import { createAsked } from "./commands/asked.ts";
import { policyAt } from "./commands/channels.ts";
import { createClicked } from "./clicked.ts";
import type { ChatDeps } from "./deps.ts";
import { createPicked } from "./commands/picked.ts";
import { createRemoved } from "./removed.ts";
import { groupsOf, rightsOf } from "./commands/rights.ts";
import { createSaid } from "./said.ts";
import { unplacedText } from "./texts.ts";
import { createSlash } from "./commands/slash.ts";

export const createChat = (host: ChatDeps): Chat => {
  /** Whom the place itself names is looked up for each thing that happens there. */
  const at = ({ place }: { readonly place: string }) => {
    const deps = { ...host, policy: policyAt(host, place) };
    const said = createSaid(deps);
    const asked = createAsked(deps, said);
    return { deps, said, asked };
  };
  return {
    said: (one, last) => at(one).said(one, last),
    unplaced: async (to, message, why) => {
      await host.replies.owe(to, `unplaced/${message}`, unplacedText(why));
      return "done";
    },
    clicked: (one) => createClicked(at(one).deps)(one),
    picked: (one) => createPicked(at(one).deps, at(one).said)(one),
    asked: (one) => at(one).asked(one),
    removed: createRemoved(host),
    slash: (one) => createSlash(at(one).deps, at(one).asked)(one),
    mayApprove: async (id) => {
      const read = await host.platform.person(id, groupsOf(host.policy));
      return read.kind === "person" && rightsOf(host.policy, read.person).mayApprove;
    },
  };
};
