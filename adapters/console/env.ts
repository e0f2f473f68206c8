/** What the handlers share: the raw request and response beside hono's, and the form of ids. */

import type { HttpBindings } from "@hono/node-server";
import type { ConversationId } from "../../src/machine/id.ts";

export type Env = { Bindings: HttpBindings };

export const isConversationId = (id: string): id is ConversationId => /^c-[\w-]{1,100}$/.test(id);
