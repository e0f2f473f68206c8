/** Every request of docs/reference.md's "Console API", and the page: which path is answered by what. */

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
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
  addGate(app, { log: deps.log, metrics: deps.metrics, rules, beside: deps.beside });
  app.get("/healthz", health(deps));
  app.get("/readyz", ready(deps));
  app.get("/metrics", metrics(parts));
  app.get("/api/about", (c) => c.json(about(deps)));
  app.get("/api/status", hostStatus(deps));
  app.get("/api/search", search(deps));
  app.get("/api/budgets", listBudgets(deps));
  app.post("/api/budgets", setBudget(deps));
  app.get("/api/channels", listChannels(deps));
  app.get("/api/channels/names", nameChannels(deps));
  app.post("/api/channels", setChannel(deps));
  app.get("/api/watches", listWatches(deps));
  app.post("/api/watches", addWatch(deps));
  app.patch("/api/watches/:id", changeWatch(deps));
  app.delete("/api/watches/:id", removeWatch(deps));
  app.get("/api/digest", readDigest(deps));
  app.get("/api/digest/csv", downloadDigest(deps));
  app.post("/api/digest/draft", draftPage(deps));
  app.get("/api/servers", listServers(deps));
  app.post("/api/servers/accept", acceptServer(deps));
  app.get("/api/images/:hash", picture(deps));
  app.get("/api/conversations", listConversations(deps));
  app.post("/api/conversations", createConversation(deps));
  app.get("/api/conversations/:id", read(parts));
  app.patch("/api/conversations/:id", changeConversation(deps));
  app.delete("/api/conversations/:id", deleteConversation(deps));
  app.post("/api/conversations/:id/messages", postMessage(deps));
  app.post("/api/conversations/:id/actions", postAction(deps));
  app.get("/api/conversations/:id/events", events(parts));
  app.get("/api/conversations/:id/posts", readPosts(deps, parts.presenter));
  app.get("/api/conversations/:id/trace", trace(deps));
  app.get("/api/conversations/:id/files/:message/:index", download(deps));
  app.post("/api/people/forget", forgetPerson(deps));
  app.get("/page/words.json", etag(), words(deps));
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
  ({ deps, streams }: AppParts): Handler =>
  async () => {
    const { contentType, text } = await deps.metrics.exposition(streams.count());
    return new Response(text, { headers: { "content-type": contentType } });
  };

/** Whether it serves, on which tier, and how each surface stands: 200, or 503 while it starts or drains. */
const health =
  ({ health: state, sandbox, version }: ConsoleDeps): Handler =>
  (c) => {
    const { status, surfaces } = state();
    const { tier, abi, network, residual } = sandbox;
    return c.json(
      { status, sandbox: { tier, abi, network, residual }, surfaces, version },
      status === "ok" ? 200 : 503,
    );
  };

/** Whether requests may be sent here: 200, or 503 while it drains. A host that waits to join others answers 503, too. */
const ready =
  ({ health: state }: ConsoleDeps): Handler =>
  (c) => {
    const { status } = state();
    return c.json({ status }, status === "ok" ? 200 : 503);
  };

/** What this host is: version, model, work modes, models, sandbox, default repository, limits of a message. */
const about = ({ version, model, modes, models, sandbox, defaultRepo, limits }: ConsoleDeps): About => ({
  version,
  model,
  modes: modes.all.map(({ key, name, whenToUse }) => ({ key, name, when: whenToUse })),
  models: models.all,
  sandbox: { tier: sandbox.tier, abi: sandbox.abi, notice: sandbox.notice },
  defaultRepo: defaultRepo === null ? null : repoName(defaultRepo),
  limits: { messageBytes: limits.messageBytes, images: limits.images, imageBytes: limits.imageBytes },
});

/** One conversation: its posts, the pending question, its sub-agents. */
const read = ({ deps, presenter }: AppParts): Handler =>
  ofConversation(async (c, id) => {
    const detail = await deps.bot.read(id);
    if (detail === null) return unknownConversation();
    const agents = deps.bot.agents(detail.state.id).map(summary);
    return c.json({
      ...presenter(sayTo(c.req.header("accept-language"), deps.language)).snapshot(
        detail,
        detail.posts,
        null,
      ),
      ...(agents.length === 0 ? {} : { agents }),
    });
  });

/** `decide` (a `question` and a `choice`; `changes` needs a `text`), `stop`, `stop_and_send`, `restrict`, `safe_mode`, `mode`, `model` (a `choice`), `continue`, `retry`, `retry_other`, and of an `answer`: `thumb_up`, `thumb_down`, `why` (a `text`), `solved`, `deeper`. */
const postAction = (deps: ConsoleDeps): Handler =>
  ofConversation(async (c, id) => act(deps, id, await readJson(c, deps, actionBody)));

/** Server-sent events: a snapshot first, of all posts or the `last` of them, then what changes; resumes from `Last-Event-ID` without gap or repeat. */
const events = ({ deps, streams }: AppParts): Handler =>
  ofConversation(async (c, id) => {
    const { last } = readQuery(c, postsQuery, POSTS_USAGE);
    if ((await deps.bot.read(id)) === null) return unknownConversation();
    streams.open(id, c.env.incoming, c.env.outgoing, c.req.query("after"), last);
    return RESPONSE_ALREADY_SENT;
  });

/** The accepted events, one JSON object a line. */
const trace = ({ bot }: ConsoleDeps): Handler =>
  ofConversation((_, id) => {
    const rows = bot.trace(id);
    return rows === null ? unknownConversation() : traceResponse(rows, bot.words);
  });

/** A picture that somebody sent: only what is one by its own bytes is served. */
const picture =
  ({ blobs }: ConsoleDeps): Handler =>
  async (c) => {
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
const words =
  ({ language: usual }: ConsoleDeps): Handler =>
  (c) => {
    const { language, words } = sayTo(c.req.header("accept-language"), usual);
    c.header("cache-control", "no-cache");
    return c.json({ language, words });
  };

const page = (): Handler => {
  const assets = createAssets();
  return async (c) => {
    const asset = await assets.get(c.req.path);
    if (asset === null) return c.notFound();
    return c.body(new Uint8Array(asset.bytes), 200, {
      "content-type": asset.type,
      "cache-control": "no-cache",
    });
  };
};
