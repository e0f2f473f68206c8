/** Every request of docs/reference.md's "Console API", and the page: which path is answered by what. */

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { act } from "./api/actions.ts";
import { sayTo } from "./language.ts";
import { createAssets } from "./assets.ts";
import { ofConversation, readJson, readQuery } from "./api/body.ts";
import { listBudgets, setBudget } from "./api/budgets.ts";
import { listChannels, nameChannels, setChannel } from "./api/channels.ts";
import { createConversation, listConversations } from "./api/conversations.ts";
import type { ConsoleDeps } from "./deps.ts";
import type { Env, Handler } from "./env.ts";
import type { Streams } from "./api/events.ts";
import { downloadDigest, draftPage, readDigest } from "./api/digest.ts";
import { download } from "./api/files.ts";
import { addGate } from "./gate.ts";
import type { GuardRules } from "./guard.ts";
import { hostStatus } from "./api/host-status.ts";
import { pictureType } from "./picture-type.ts";
import { changeConversation, deleteConversation } from "./api/manage.ts";
import { postMessage } from "./api/messages.ts";
import { forgetPerson } from "./api/people.ts";
import type { PresenterIn } from "./render/presenter.ts";
import { POSTS_USAGE, readPosts } from "./api/posts.ts";
import { problem, unknownConversation } from "./api/problem.ts";
import { actionBody, postsQuery } from "./api/schema.ts";
import { acceptServer, listServers } from "./api/servers.ts";
import { search } from "./api/search.ts";
import { repoName, summary } from "./render/summary.ts";
import { traceResponse } from "./api/trace.ts";
import { addWatch, changeWatch, listWatches, removeWatch } from "./api/watches.ts";
import type { About } from "./render/api-types.ts";

interface AppParts {
  readonly deps: ConsoleDeps;
  readonly presenter: PresenterIn;
  readonly streams: Streams;
  /** Complete once the port is known. */
  readonly rules: () => GuardRules;
}

export const createApp = (parts: AppParts): Hono<Env> => {
  const { deps, rules } = parts;
  const app = new Hono<Env>();
  const on = (handler: Handler) => (c: Context<Env>) => handler(deps, c);
  addGate(app, deps, rules);
  app.get("/healthz", on(health));
  app.get("/readyz", on(ready));
  app.get("/metrics", on(metrics(parts)));
  app.get("/api/about", on(about));
  app.get("/api/status", on(hostStatus));
  app.get("/api/search", on(search));
  app.get("/api/budgets", on(listBudgets));
  app.post("/api/budgets", on(setBudget));
  app.get("/api/channels", on(listChannels));
  app.get("/api/channels/names", on(nameChannels));
  app.post("/api/channels", on(setChannel));
  app.get("/api/watches", on(listWatches));
  app.post("/api/watches", on(addWatch));
  app.patch("/api/watches/:id", on(changeWatch));
  app.delete("/api/watches/:id", on(removeWatch));
  app.get("/api/digest", on(readDigest));
  app.get("/api/digest/csv", on(downloadDigest));
  app.post("/api/digest/draft", on(draftPage));
  app.get("/api/servers", on(listServers));
  app.post("/api/servers/accept", on(acceptServer));
  app.get("/api/images/:hash", on(picture));
  app.get("/api/conversations", on(listConversations));
  app.post("/api/conversations", on(createConversation));
  app.get("/api/conversations/:id", on(read(parts)));
  app.patch("/api/conversations/:id", on(changeConversation));
  app.delete("/api/conversations/:id", on(deleteConversation));
  app.post("/api/conversations/:id/messages", on(postMessage));
  app.post("/api/conversations/:id/actions", on(postAction));
  app.get("/api/conversations/:id/events", on(events(parts)));
  app.get("/api/conversations/:id/posts", on(readPosts(parts.presenter)));
  app.get("/api/conversations/:id/trace", on(trace));
  app.get("/api/conversations/:id/files/:message/:index", on(download));
  app.post("/api/people/forget", on(forgetPerson));
  app.get("/page/words.json", etag(), on(words));
  app.get("*", etag(), page());
  app.notFound(() =>
    problem({
      status: 404,
      code: "unknown_request",
      message: "There is no such request. docs/reference.md lists those there are.",
    }),
  );
  return app;
};

/** Figures for Prometheus, as text. */
const metrics =
  ({ streams }: AppParts): Handler =>
  async (deps) => {
    const { contentType, text } = await deps.metrics.exposition(streams.count());
    return new Response(text, { headers: { "content-type": contentType } });
  };

/** Whether it serves, on which tier, and how each surface stands: 200, or 503 while it starts or drains. */
const health: Handler = ({ health: state, sandbox, version }, c) => {
  const { status, surfaces } = state();
  const { tier, abi, network, residual } = sandbox;
  return c.json(
    { status, sandbox: { tier, abi, network, residual }, surfaces, version },
    status === "ok" ? 200 : 503,
  );
};

/**
 * Whether requests may be sent here: 200, or 503 while it drains, or has not reached the database that hosts share for ten seconds. A
 * host that waits to join others answers 503, too.
 */
const ready: Handler = ({ health: state }, c) => {
  const { status, isSure } = state();
  return c.json({ status }, status === "ok" && isSure ? 200 : 503);
};

/** What this host is: version, model, work modes, models, sandbox, default repository, limits of a message. */
const about: Handler = ({ version, model, modes, models, sandbox, defaultRepo, limits }, c) => {
  const body: About = {
    version,
    model,
    modes: modes.all.map(({ key, name, whenToUse }) => ({ key, name, when: whenToUse })),
    models: models.all,
    sandbox: { tier: sandbox.tier, abi: sandbox.abi, notice: sandbox.notice },
    defaultRepo: defaultRepo === null ? null : repoName(defaultRepo),
    limits: { messageBytes: limits.messageBytes, images: limits.images, imageBytes: limits.imageBytes },
  };
  return c.json(body);
};

/** One conversation: its posts, the pending question, its sub-agents. */
const read = ({ presenter }: AppParts): Handler =>
  ofConversation(async ({ bot, language }, c, id) => {
    const detail = await bot.read(id);
    if (detail === null) return unknownConversation();
    const agents = bot.agents(detail.state.id).map(summary);
    const { snapshot } = presenter(sayTo(c.req.header("accept-language"), language));
    return c.json({
      ...snapshot(detail, detail.posts, null),
      ...(agents.length === 0 ? {} : { agents }),
    });
  });

/** `decide` (a `question` and a `choice`; `changes` needs a `text`), `stop`, `stop_and_send`, `restrict`, `safe_mode`, `mode`, `model` (a `choice`), `continue`, `retry`, `retry_other`, and of an `answer`: `thumb_up`, `thumb_down`, `why` (a `text`), `solved`, `deeper`. */
const postAction = ofConversation(async (deps, c, id) => act(deps, id, await readJson(c, deps, actionBody)));

/** Server-sent events: a snapshot first, of all posts or the `last` of them, then what changes; resumes from `Last-Event-ID` without gap or repeat. */
const events = ({ streams }: AppParts): Handler =>
  ofConversation(async ({ bot }, c, id) => {
    const { last } = readQuery(c, postsQuery, POSTS_USAGE);
    if ((await bot.read(id)) === null) return unknownConversation();
    void streams.open(id, c.env.incoming, c.env.outgoing, c.req.query("after"), last);
    return RESPONSE_ALREADY_SENT;
  });

/** The accepted events, one JSON object a line. */
const trace = ofConversation(({ bot }, _, id) => {
  const rows = bot.trace(id);
  return rows === null ? unknownConversation() : traceResponse(rows, bot.words);
});

/** A picture that somebody sent: only what is one by its own bytes is served. */
const picture: Handler = async ({ blobs }, c) => {
  const bytes = await blobs.get(c.req.param("hash") ?? "");
  const type = bytes === null ? null : pictureType(bytes);
  if (bytes === null || type === null) {
    return problem({
      status: 404,
      code: "unknown_image",
      message: "There is no such picture: its message may be erased.",
    });
  }
  const headers = { "content-type": type, "cache-control": "private, max-age=31536000, immutable" };
  return new Response(new Uint8Array(bytes), { headers });
};

/** The catalogue of the browser's language, for the page's own words. */
const words: Handler = ({ language: usual }, c) => {
  const { language, words } = sayTo(c.req.header("accept-language"), usual);
  c.header("cache-control", "no-cache");
  return c.json({ language, words });
};

const page = () => {
  const assets = createAssets();
  return async (c: Context<Env>) => {
    const asset = await assets.get(c.req.path);
    if (asset === null) return c.notFound();
    return c.body(new Uint8Array(asset.bytes), 200, {
      "content-type": asset.type,
      "cache-control": "no-cache",
    });
  };
};
