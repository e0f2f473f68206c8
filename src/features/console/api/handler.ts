/** What answers a request of the page, and what it is handed. */

import type { Context } from "hono";
import type { Env } from "../../../../adapters/http/web.ts";
import type { Core } from "../../../feature.ts";
import type { ConversationId } from "../../../machine/id.ts";
import type { ConsoleHost } from "../../../ports/console.ts";
import type { ChannelBook, ChannelNames } from "../channels/ports.ts";
import type { Presenter } from "../render/presenter.ts";
import type { PageSearch } from "../search/ports.ts";
import { unknownConversation } from "./refusal.ts";

export interface ConsoleDeps extends Omit<ConsoleHost, "knowledge" | "servers">, OfCore {
  readonly channels: ChannelBook;
  readonly channelNames: ChannelNames;
  readonly search: PageSearch;
}

type OfCore = Pick<
  Core,
  "covers" | "log" | "models" | "modes" | "operator" | "randomId" | "repo" | "takePicture" | "version"
>;

export interface ServerContext extends ConsoleDeps {
  readonly streams: {
    /** Takes the response over. `last`: how many posts a snapshot has, all of them where it is not said. */
    open(c: Context<Env>, id: ConversationId, presenter: Presenter, last: number | undefined): Promise<void>;
  };
  /** In the language that a browser accepts. */
  presenterOf(accepts: string | undefined): Presenter;
}

export type Handler = (deps: ServerContext, c: Context<Env>) => Promise<Response> | Response;

/** Answers a request of one conversation; what cannot be an id is none. */
export const ofConversation =
  (answer: (...given: [...Parameters<Handler>, id: ConversationId]) => ReturnType<Handler>): Handler =>
  (deps, c) => {
    const id = c.req.param("id") ?? "";
    if (!isConversationId(id)) throw unknownConversation();
    return answer(deps, c, id);
  };

export const isConversationId = (id: string): id is ConversationId => /^c-[\w-]{1,100}$/.test(id);
