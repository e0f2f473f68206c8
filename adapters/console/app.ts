/** Every request of docs/reference.md's "Console API", and the page: which path is answered by what. */

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import type { HTTPException } from "hono/http-exception";
import { act } from "./api/actions.ts";
import { sayTo } from "./language.ts";
import { boardOf, createAssets } from "./assets.ts";
import { ofConversation, readJson, readQuery } from "./api/body.ts";
import { listChannels, nameChannels, setChannel } from "./api/channels.ts";
import { createConversation, listConversations } from "./api/conversations.ts";
import type { Env } from "./env.ts";
import type { Handler, Served } from "./handler.ts";
import { download } from "./api/files.ts";
import { addGate } from "./gate.ts";
import type { GuardRules } from "./guard.ts";
import { hostStatus } from "./api/host-status.ts";
import { pictureType } from "./picture-type.ts";
import { LIMITS } from "./api/limits.ts";
import { changeConversation, deleteConversation } from "./api/manage.ts";
import { postMessage } from "./api/messages.ts";
import { forgetPerson } from "./api/people.ts";
import { POSTS_USAGE, readPosts } from "./api/posts.ts";
import { missing, refusal, unknownConversation } from "./api/problem.ts";
import { actionBody, postsQuery } from "./api/schema.ts";
import { search } from "./api/search.ts";
import { repoName, summary } from "./render/summary.ts";
import { trace } from "./api/trace.ts";
import { given } from "../../src/text/given.ts";
import type { About } from "./render/api-types.ts";

/** `rules`: complete once the port is known. */
export const createApp = (deps: Served, rules: () => GuardRules): Hono<Env> => {
  const app = new Hono<Env>();
  /** `what`: what only those do who may approve. */
  const on = (handler: Handler, what?: string) => (c: Context<Env>) => {
    if (what !== undefined && !deps.operator.mayApprove) throw notAllowed(what);
    return handler(deps, c);
  };
  addGate(app, deps, rules);
  app.get("/healthz", on(health));
  app.get("/readyz", on(ready));
  app.get("/api/about", on(about));
  app.get("/api/status", on(hostStatus));
  app.get("/api/search", on(search));
  app.get("/api/channels", on(listChannels));
  app.get("/api/channels/names", on(nameChannels));
  app.post("/api/channels", on(setChannel, "change channels"));
  app.get("/api/images/:hash", on(picture));
  app.get("/api/conversations", on(listConversations));
  app.post("/api/conversations", on(createConversation));
  app.get("/api/conversations/:id", on(read));
  app.patch("/api/conversations/:id", on(changeConversation));
  app.delete("/api/conversations/:id", on(deleteConversation, "delete conversations"));
  app.post("/api/conversations/:id/messages", on(postMessage));
  app.post("/api/conversations/:id/actions", on(postAction));
  app.get("/api/conversations/:id/events", on(events));
  app.get("/api/conversations/:id/posts", on(readPosts));
  app.get("/api/conversations/:id/trace", on(trace));
  app.get("/api/conversations/:id/files/:message/:index", on(download));
  app.post("/api/people/forget", on(forgetPerson));
  for (const { method, path, approvers, answer } of deps.requests)
    app.on(
      method,
      path,
      on((_, c) => answer(c.req.raw, (name) => c.req.param(name) ?? ""), approvers ?? undefined),
    );
  app.get("/page/words.json", etag(), on(words));
  app.get("/page/boards.json", etag(), on(boards));
  app.get("*", etag(), page(deps.base));
  app.notFound(() => {
    throw missing("request", "There is no such request. docs/reference.md lists those there are.");
  });
  return app;
};

const notAllowed = (what: string): HTTPException =>
  refusal({
    status: 403,
    code: "not_allowed",
    message: `You may not ${what}: PARLEY_APPROVERS does not name the console's operator.`,
  });

/** Whether it serves, on which tier, and how each surface stands: 200, or 503 while it starts or drains. */
const health: Handler = ({ health: state, sandbox, version }, c) => {
  const { status, surfaces } = state();
  const { tier, abi, network, residual } = sandbox;
  return c.json(
    { status, sandbox: { tier, abi, network, residual }, surfaces, version },
    status === "ok" ? 200 : 503,
  );
};

/** Whether the host does all its work: 200, or 503 while it drains or waits to join others, and once a chat platform has had no connection for two minutes. `away` says since when. */
const ready: Handler = ({ health: state }, c) => {
  const { status, away } = state();
  const isDeaf = away.some(({ isLong }) => isLong);
  const since = away.map(({ surface, since: began }) => [surface, new Date(began).toISOString()]);
  return c.json(
    {
      status: status === "ok" && isDeaf ? "disconnected" : status,
      ...(since.length === 0 ? {} : { away: Object.fromEntries(since) }),
    },
    status === "ok" && !isDeaf ? 200 : 503,
  );
};

/** What this host is: version, model, work modes, models, sandbox, default repository, limits of a message. */
const about: Handler = ({ version, model, modes, models, sandbox, defaultRepo }, c) => {
  const body: About = {
    version,
    model,
    modes: modes.all.map(({ key, name, whenToUse }) => ({ key, name, when: whenToUse })),
    models: models.all,
    sandbox: { tier: sandbox.tier, abi: sandbox.abi, notice: sandbox.notice },
    defaultRepo: defaultRepo === null ? null : repoName(defaultRepo),
    limits: LIMITS,
  };
  return c.json(body);
};

/** One conversation: its posts, the pending question, its sub-agents. */
const read = ofConversation(async ({ bot, presenterOf }, c, id) => {
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  const agents = bot.agents(detail.state.id).map(summary);
  const { snapshot } = presenterOf(c.req.header("accept-language"));
  return c.json({
    ...snapshot(detail, detail.posts, null),
    ...(agents.length === 0 ? {} : { agents }),
  });
});

/** `decide` (a `question` and a `choice`; `changes` needs a `text`), `stop`, `stop_and_send`, `restrict`, `safe_mode`, `mode`, `model` (a `choice`), `continue`, `retry`, `retry_other`, and of an `answer`: `thumb_up`, `thumb_down`, `why` (a `text`), `solved`, `deeper`. */
const postAction = ofConversation(async (deps, c, id) => act(deps, id, await readJson(c, actionBody)));

/** Server-sent events: a snapshot first, of all posts or the `last` of them, then what changes; resumes from `Last-Event-ID` without gap or repeat. */
const events = ofConversation(async ({ bot, presenterOf, streams }, c, id) => {
  const { last } = readQuery(c, postsQuery, POSTS_USAGE);
  if ((await bot.read(id)) === null) throw unknownConversation();
  void streams.open(c, id, presenterOf(c.req.header("accept-language")), last);
  return RESPONSE_ALREADY_SENT;
});

/** A picture that somebody sent: only what is one by its own bytes is served. */
const picture: Handler = async ({ blobs }, c) => {
  const bytes = await blobs.get(c.req.param("hash") ?? "");
  const type = bytes === null ? null : pictureType(bytes);
  if (bytes === null || type === null)
    throw missing("image", "There is no such picture: its message may be erased.");
  const headers = { "content-type": type, "cache-control": "private, max-age=31536000, immutable" };
  return new Response(new Uint8Array(bytes), { headers });
};

/** The catalogue of the browser's language, for the page's own words. */
const words: Handler = ({ language: usual }, c) => {
  const { language, words } = sayTo(c.req.header("accept-language"), usual);
  c.header("cache-control", "no-cache");
  return c.json({ language, words });
};

/** Boards of features: their names, their titles in English, their modules below the console's path, and of a section the board that it is `on`. */
const boards: Handler = ({ boards: all }, c) => {
  c.header("cache-control", "no-cache");
  return c.json(
    all.map(({ name, title, on, from, feature }) => ({
      name,
      title,
      ...given({ on, from }),
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
