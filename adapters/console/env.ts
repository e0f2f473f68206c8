/** What the handlers share: the raw request and response beside hono's, and the form of ids. */

import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { ConversationId } from "../../src/machine/id.ts";
import type { ConsoleDeps } from "./deps.ts";

export type Env = { Bindings: HttpBindings };

export type Handler = (deps: ConsoleDeps, c: Context<Env>) => Promise<Response> | Response;

export const isConversationId = (id: string): id is ConversationId => /^c-[\w-]{1,100}$/.test(id);
