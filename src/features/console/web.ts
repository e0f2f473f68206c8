/** Routes of the page and of its requests ("Console API" in docs/reference.md). */

import type { Context, Hono } from "hono";
import { etag } from "hono/etag";
import { forbidden } from "../../../adapters/http/problem.ts";
import type { Env, Web } from "../../../adapters/http/web.ts";
import type { Core } from "../../feature.ts";
import { sayIn } from "../../i18n/languages.ts";
import { type Language, languageIn, type Say } from "../../i18n/say.ts";
import type { ConsoleHost } from "../../ports/console.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { postAction } from "./api/actions.ts";
import { listChannels, nameChannels, setChannel } from "./api/channels.ts";
import {
  changeConversation,
  createConversation,
  deleteListedConversation,
  listConversations,
  readConversation,
} from "./api/conversations.ts";
import { createEventStreams, streamEvents } from "./api/events.ts";
import { download, servePicture } from "./api/files.ts";
import type { Handler, ServerContext } from "./api/handler.ts";
import { hostFacts, hostStatus } from "./api/host.ts";
import { postMessage } from "./api/messages.ts";
import { readPosts } from "./api/posts.ts";
import { answerSearch } from "./api/search.ts";
import { trace } from "./api/trace.ts";
import { boardOf, createAssets } from "./assets.ts";
import { createChannelBook } from "./channels/channel-book.ts";
import { createChannelNames } from "./channels/channel-names.ts";
import { linkPage, noticePage } from "./link-page.ts";
import { createPresenter } from "./render/presenter.ts";
import type { PageSearch } from "./search/ports.ts";

export const createWeb = (core: Core, host: ConsoleHost, search: PageSearch): Web => {
  const { closeAll, ...streams } = createEventStreams(host);
  const deps = {
    ...core,
    ...host,
    search,
    channels: createChannelBook({ ...core, ...host, modes: core.modes.all }),
    channelNames: createChannelNames({
      reads: (surface) => core.surfaces().find(({ name }) => name === surface)?.readName ?? null,
      clock: core.clock,
    }),
  };
  const presenterOf: ServerContext["presenterOf"] = (accepts) =>
    createPresenter(deps, sayTo(accepts, host.language));
  return {
    addTo: (app) => addRequests(app, { ...deps, streams, presenterOf }),
    isFile: (path) => path === "/" || /^\/(?:page|vendor|src)\//.test(path),
    signIn: (crossSite) => linkPage(crossSite, host.base),
    refuse: noticePage,
    close: closeAll,
  };
};

const addRequests = (app: Hono<Env>, deps: ServerContext): void => {
  /** `what`: an action that is limited to approvers, for the error message. */
  const on = (handler: Handler, what?: string) => (c: Context<Env>) => {
    if (what !== undefined && !deps.operator.mayApprove) throw forbidden(what);
    return handler(deps, c);
  };
  app.get("/api/about", on(hostFacts));
  app.get("/api/status", on(hostStatus));
  app.get("/api/search", on(answerSearch));
  app.get("/api/channels", on(listChannels));
  app.get("/api/channels/names", on(nameChannels));
  app.post("/api/channels", on(setChannel, "change channels"));
  app.get("/api/images/:hash", on(servePicture));
  app.get("/api/conversations", on(listConversations));
  app.post("/api/conversations", on(createConversation));
  app.get("/api/conversations/:id", on(readConversation));
  app.patch("/api/conversations/:id", on(changeConversation));
  app.delete("/api/conversations/:id", on(deleteListedConversation, "delete conversations"));
  app.post("/api/conversations/:id/messages", on(postMessage));
  app.post("/api/conversations/:id/actions", on(postAction));
  app.get("/api/conversations/:id/events", on(streamEvents));
  app.get("/api/conversations/:id/posts", on(readPosts));
  app.get("/api/conversations/:id/trace", on(trace));
  app.get("/api/conversations/:id/files/:message/:index", on(download));
  app.get("/page/words.json", etag(), on(words));
  app.get("/page/boards.json", etag(), on(boards));
  app.get("*", etag(), page(deps.base));
};

/** Returns the page's texts in the browser's language. */
const words: Handler = ({ language: usual }, c) => {
  const { language, words } = sayTo(c.req.header("accept-language"), usual);
  c.header("cache-control", "no-cache");
  return c.json({ language, words });
};

/**
 * `accepts`: the Accept-Language header. `usual`: language if the header names none that the host supports.
 */
const sayTo = (accepts: string | undefined, usual: Language): Say => {
  const tags = (accepts ?? "").split(",").map((one) => one.split(";", 1)[0] ?? "");
  return sayIn(languageIn(tags) ?? usual);
};

/**
 * Boards of features: name, English title, module path below the console's path, and for a section the board
 * that contains it (`on`).
 */
const boards: Handler = ({ boards: all }, c) => {
  c.header("cache-control", "no-cache");
  return c.json(
    all.map(({ name, title, on, from, feature }) => ({
      name,
      title,
      ...omitUndefined({ on, from }),
      module: boardOf(feature),
    })),
  );
};

const page = (base: string) => {
  const assets = createAssets(base);
  return async (c: Context<Env>) => {
    const asset = await assets.get(c.req.path);
    if (asset === null) return c.notFound();
    return c.body(new Uint8Array(asset.bytes), 200, {
      "content-type": asset.type,
      "cache-control": "no-cache",
    });
  };
};
