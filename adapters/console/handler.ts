/** What answers a request, and what it is handed. */

import type { Context } from "hono";
import type { Streams } from "./api/events.ts";
import type { ConsoleDeps } from "./deps.ts";
import type { Env } from "./env.ts";
import type { Presenter } from "./render/presenter.ts";

export interface Served extends ConsoleDeps {
  readonly streams: Streams;
  /** The path that the console is below; empty for the root. */
  readonly base: string;
  /** In the language that a browser accepts. */
  presenterOf(accepts: string | undefined): Presenter;
}

export type Handler = (deps: Served, c: Context<Env>) => Promise<Response> | Response;
