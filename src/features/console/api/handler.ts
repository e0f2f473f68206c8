/** The handler type of page requests, with the dependencies of a handler. */

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
  | "clock"
  | "covers"
  | "files"
  | "log"
  | "models"
  | "modes"
  | "operator"
  | "randomId"
  | "repo"
  | "takePicture"
  | "version"
>;

export interface ServerContext extends ConsoleDeps {
  readonly streams: {
    /** Takes the response over. `last`: number of posts in the snapshot; all posts if undefined. */
    open(c: Context<Env>, id: ConversationId, presenter: Presenter, last: number | undefined): Promise<void>;
  };
  /** Presenter in the language of an Accept-Language header. */
  presenterOf(accepts: string | undefined): Presenter;
}

export type Handler = (deps: ServerContext, c: Context<Env>) => Promise<Response> | Response;

/** Wraps a handler of one conversation; an invalid id is answered like an unknown one. */
export const ofConversation =
  (answer: (...given: [...Parameters<Handler>, id: ConversationId]) => ReturnType<Handler>): Handler =>
  (deps, c) => {
    const id = c.req.param("id") ?? "";
    if (!isConversationId(id)) throw unknownConversation();
    return answer(deps, c, id);
  };

export const isConversationId = (id: string): id is ConversationId => /^c-[\w-]{1,100}$/.test(id);
