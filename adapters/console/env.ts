/** What the handlers share: the raw request and response beside hono's, what they are handed, and the form of ids. */

import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { ConversationId } from "../../src/machine/id.ts";
import type { Streams } from "./api/events.ts";
import type { ConsoleDeps } from "./deps.ts";
import type { Presenter } from "./render/presenter.ts";

export type Env = { Bindings: HttpBindings };

export interface Served extends ConsoleDeps {
  readonly streams: Streams;
  /** In the language that a browser accepts. */
  presenterOf(accepts: string | undefined): Presenter;
}

export type Handler = (deps: Served, c: Context<Env>) => Promise<Response> | Response;

export const isConversationId = (id: string): id is ConversationId => /^c-[\w-]{1,100}$/.test(id);
