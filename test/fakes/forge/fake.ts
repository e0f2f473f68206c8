/**
 * GitHub as Parley sees it, at the wire: requests are refused where GitHub's own description refuses them, and answers
 * are checked against it. Rate limits, pages, missing permissions and lost answers as GitHub has them.
 */

import { createHash, generateKeyPairSync, verify } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Reply, sendEmpty, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import { serveGit } from "../shared/git-backend.ts";
import { createExchange, type Exchange } from "../shared/exchange.ts";
import { createDeviceRoutes, type DeviceWorld } from "../shared/device-flow.ts";
import { createGates, type Gate } from "../shared/gates.ts";
import { createJournal } from "../shared/journal.ts";
import { createSchedule } from "../shared/schedule.ts";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import { type Operation, operationOf } from "./description.ts";
import { filled } from "./description.ts";
import { markedReady } from "./merging.ts";
import { type Answer, type Ask, routes } from "./routes.ts";
import { queryIn, searched } from "./search.ts";
import { issueWire, repoId, runWire, userWire } from "./wire.ts";
import { createForgeWorld, type FakeRepo, type ForgeWorld, type Grant } from "./world.ts";

export type ForgeFault =
  /** The hour's allowance is used up. `resetIn`: seconds. */
  | { readonly kind: "limited"; readonly resetIn: number }
  /** Asked too fast. `retryAfter`: seconds. */
  | { readonly kind: "secondary"; readonly retryAfter: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "cut" }
  /** Never answered; nothing is done. */
  | { readonly kind: "stall" }
  /** What is asked is done, and the answer never arrives. */
  | { readonly kind: "lost" }
  | { readonly kind: "wait"; readonly gate: string };

export interface ForgeCall {
  /** GitHub's name of the operation, or `unknown`. */
  readonly operation: string;
  readonly exchange: Exchange;
}

export interface FakeForge {
  readonly url: string;
  readonly world: ForgeWorld;
  /** People who connect their accounts. */
  readonly signIn: DeviceWorld;
  readonly calls: readonly ForgeCall[];
  readonly violations: string[];
  /** An app with this key may act where `installation` is set on the repository. */
  readonly app: { readonly id: number; readonly privateKey: string };
  /** `after`: so many calls of the operation come through before. */
  fault(fault: ForgeFault, operation: string, times?: number, after?: number): void;
  /** Spoils every call for which `isNext`, asked with the name of its operation, is true, until told to stop. */
  spoil(fault: ForgeFault, isNext: (operation: string) => boolean): () => void;
  gate(name?: string): Gate;
  close(): Promise<void>;
}

const APP = 4711;
const INSTALLATION = 99;
const MAX_BODY = 1024 * 1024;

/** `now`: epoch milliseconds. */
export const createFakeForge = async (now: () => number = Date.now): Promise<FakeForge> => {
  const world = createForgeWorld(now);
  const journal = createJournal<ForgeCall>();
  const violations: string[] = [];
  const gates = createGates();
  const faults = createSchedule<string, ForgeFault>();
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

  const count = createAllowance();
  const signIn = createDeviceRoutes("github", now, violations, {
    grant: (token, { login }) => world.tokens.set(token, { ...world.peopleMay, login }),
    forget: (token) => world.tokens.delete(token),
  });

  const isApp = (token: string): boolean => {
    const [head = "", body = "", signature = ""] = token.split(".");
    return (
      signature !== "" &&
      verify(
        "RSA-SHA256",
        Buffer.from(`${head}.${body}`),
        keys.publicKey,
        Buffer.from(signature, "base64url"),
      )
    );
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (/\.git\//.test(request.url ?? "")) return receiveGit(request, response);
    const read = await readBody(request, MAX_BODY);
    if (read.kind !== "read") return;
    const text = read.bytes.toString("utf8");
    const named = signIn.operationOf(request.method ?? "", new URL(request.url ?? "/", server.url).pathname);
    const body: unknown = text === "" ? undefined : named === null ? JSON.parse(text) : text;
    const live = createExchange(journal.entries.length + 1, request, body, response);
    const reply = { live, response };
    const { path, method } = live.exchange;
    if (named !== null) {
      journal.append({ operation: named, exchange: live.exchange });
      const spoilt = faults.take(named);
      if (spoilt?.kind === "wait") await gates.pass(spoilt);
      if (spoilt !== undefined && spoilt.kind !== "wait" && spoilt.kind !== "lost")
        return spoil(reply, spoilt, now());
      const { authorization } = request.headers;
      const asked = { operation: named, authorization, form: text, base: server.url };
      return signIn.serve(reply, { ...asked, isLost: spoilt?.kind === "lost" });
    }
    if (path === "/graphql") return serveQuery(reply, request, body);
    if (path.startsWith("/__logs/")) return serveLog(world, request, reply, path, violations);
    const operation = operationOf(method, byName(world, path));
    journal.append({ operation: operation?.name ?? "unknown", exchange: live.exchange });
    const fault = faults.take(operation?.name ?? "unknown");
    if (fault?.kind === "wait") await gates.pass(fault);
    if (fault !== undefined && fault.kind !== "wait" && fault.kind !== "lost")
      return spoil(reply, fault, now());
    try {
      await serve(reply, request, operation, { body, isLost: fault?.kind === "lost" });
    } catch (error) {
      violations.push(`the fake failed: ${String(error)}`);
      live.cut("reset");
    }
  };

  /** The only query of Parley that GitHub's REST API cannot answer. */
  const serveQuery = async (reply: Reply, request: IncomingMessage, body: unknown): Promise<void> => {
    journal.append({ operation: "graphql", exchange: reply.live.exchange });
    const fault = faults.take("graphql");
    if (fault?.kind === "wait") await gates.pass(fault);
    if (fault !== undefined && fault.kind !== "wait" && fault.kind !== "lost")
      return spoil(reply, fault, now());
    const token = request.headers.authorization?.replace(/^(token|bearer) /i, "") ?? null;
    const grant = grantOf(token);
    if (grant === null || grant === "unknown") return sendJson(reply, 401, { message: "Bad credentials" });
    const answer = markedReady(
      [...world.repos.values()].filter((repo) => sees(grant, repo)),
      grant,
      body,
    );
    if (fault?.kind === "lost") return reply.live.cut("reset");
    return sendJson(reply, 200, answer);
  };

  /** Git's remotes: whom the token lets read fetches, whom it lets write contents pushes. */
  const receiveGit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", server.url);
    const isPush = `${searchParams.get("service") ?? ""}${pathname}`.includes("git-receive-pack");
    const isList = pathname.endsWith("/info/refs");
    const operation = `git/${isList ? "list" : isPush ? "push" : "fetch"}`;
    const live = createExchange(journal.entries.length + 1, request, undefined, response);
    journal.append({ operation, exchange: live.exchange });
    const fault = faults.take(operation);
    if (fault?.kind === "wait") await gates.pass(fault);
    if (fault !== undefined && fault.kind !== "wait" && fault.kind !== "lost") {
      return spoil({ live, response }, fault, now());
    }
    const [, owner = "", name = "", rest = ""] = /^\/([^/]+)\/([^/]+)\.git(\/.*)$/.exec(pathname) ?? [];
    const renamed = world.renamed.get(`${owner}/${name}`.toLowerCase());
    if (renamed !== undefined) {
      const location = `${server.url}/${renamed}.git${rest}${search}`;
      return void response.writeHead(301, { location }).end();
    }
    const repo = world.repos.get(`${owner}/${name}`.toLowerCase());
    const grant = grantOf(passwordIn(request));
    const may = (what: string): boolean => grant !== "unknown" && grant?.permissions.includes(what) === true;
    if (grant === "unknown" || (isPush && grant === null)) {
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    }
    if (repo === undefined || repo.git === null || !sees(grant, repo))
      return void response.writeHead(404).end();
    if (isPush && (repo.archived || !may("contents=write"))) return void response.writeHead(403).end();
    const { root, path } = repo.git;
    const user = isPush ? "parley" : null;
    const losesAnswer = fault?.kind === "lost";
    serveGit({ root, path: `${path}${rest}`, query: search.slice(1), user, losesAnswer }, request, response);
  };

  const grantOf = (token: string | null): Grant | "unknown" | null => {
    if (token === null) return null;
    return signIn.world.personOf(token) === null ? "unknown" : (world.tokens.get(token) ?? "unknown");
  };

  const serve = async (
    reply: Reply,
    request: IncomingMessage,
    operation: Operation | null,
    { body, isLost }: { readonly body: unknown; readonly isLost: boolean },
  ): Promise<void> => {
    const { exchange } = reply.live;
    if (operation === null) {
      violations.push(`no such operation: ${exchange.method} ${exchange.path}`);
      return sendJson(reply, 404, { message: "Not Found" });
    }
    if (request.headers["user-agent"] === undefined) violations.push("no User-Agent was sent");
    const token = request.headers.authorization?.replace(/^(token|bearer) /i, "") ?? null;
    for (const [name, value] of Object.entries(ofToken(grantOf(token))))
      reply.response.setHeader(name, value);
    if (operation.name === "rate-limit/get") return serveLimits(reply, operation, grantOf(token));
    const counted = count(token, world.allowance, now());
    for (const [name, value] of Object.entries(counted.headers)) reply.response.setHeader(name, value);
    if (counted.isOver) return sendJson(reply, 403, { message: "API rate limit exceeded for user ID 1." });
    const complaint = operation.complaint(body, exchange.query);
    if (complaint !== null) {
      violations.push(`${operation.name}: ${complaint}`);
      return sendJson(reply, 422, { message: "Validation Failed", errors: [{ message: complaint }] });
    }
    if (token !== null && isApp(token)) return serveApp(reply, operation);
    const grant = grantOf(token);
    if (grant === "unknown") return sendJson(reply, 401, { message: "Bad credentials" });
    if (operation.name === "search/issues-and-pull-requests") return search(reply, operation, grant);
    const named = `${operation.params["owner"]}/${operation.params["repo"]}`.toLowerCase();
    const moved = world.repos.get(world.renamed.get(named)?.toLowerCase() ?? "");
    if (moved !== undefined && sees(grant, moved)) return sendOn(reply, server.url, moved);
    const repo = world.repos.get(named);
    const route = routes[operation.name];
    // What somebody may not see does not exist for them.
    if (repo === undefined || route === undefined || !sees(grant, repo)) {
      return sendJson(reply, 404, { message: "Not Found" });
    }
    const lesser = world.lesser.get(grant?.login ?? "");
    if (lesser === "stranger") return sendJson(reply, 404, { message: "Not Found" });
    if (lesser === "sso") return sendJson(reply, 403, { message: SSO }, { "x-github-sso": "required" });
    if (grant !== null && !grant.permissions.includes(route.needs)) {
      const lacks = { "x-accepted-github-permissions": route.needs };
      return sendJson(reply, 403, { message: "Resource not accessible by personal access token" }, lacks);
    }
    const ask: Ask = {
      base: server.url,
      repo,
      params: operation.params,
      query: exchange.query,
      body,
      login: grant?.login ?? "parley-app",
      mayPush: lesser === undefined,
      now: now(),
    };
    const answer = route.serve(ask);
    if (isLost) return reply.live.cut("reset");
    await send(reply, operation, ask, answer);
  };

  const serveApp = async (reply: Reply, operation: Operation): Promise<void> => {
    const stamp = new Date(now()).toISOString();
    const { permissions, isSuspended } = world.app;
    if (operation.name === "apps/get-authenticated") {
      const made = filled("integration", { id: APP, owner: userWire("acme"), permissions });
      operation.mustFit(200, made);
      return sendJson(reply, 200, made);
    }
    if (operation.name === "apps/get-repo-installation") {
      const { owner, repo } = operation.params;
      if (!world.repos.has(`${owner}/${repo}`.toLowerCase())) {
        return sendJson(reply, 404, { message: "Not Found" });
      }
      const made = filled("installation", {
        id: INSTALLATION,
        app_id: APP,
        account: userWire(owner ?? ""),
        permissions,
        created_at: stamp,
        updated_at: stamp,
        suspended_at: isSuspended ? stamp : null,
      });
      operation.mustFit(200, made);
      return sendJson(reply, 200, made);
    }
    const token = `ghs_${journal.entries.length}${"x".repeat(30)}`;
    const granted = [...Object.values(routes).map(({ needs }) => needs), "contents=write"];
    world.tokens.set(token, { repos: ["*"], permissions: granted });
    const made = { token, expires_at: new Date(now() + 3_600_000).toISOString() };
    operation.mustFit(201, made);
    return sendJson(reply, 201, made);
  };

  const search = async (reply: Reply, operation: Operation, grant: Grant | null): Promise<void> => {
    const query = queryIn(reply.live.exchange.query["q"] ?? "");
    const visible = [...world.repos.values()].filter((repo) => sees(grant, repo));
    if (query.repos.length === 0) violations.push("a search reached beyond one repository");
    if (!visible.some(({ owner, name }) => query.repos.includes(`${owner}/${name}`.toLowerCase()))) {
      const message =
        "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.";
      const errors = [{ message, resource: "Search", field: "q", code: "invalid" }];
      const invalid = { message: "Validation Failed", errors, documentation_url: "https://docs.github.com" };
      operation.mustFit(422, invalid);
      return sendJson(reply, 422, invalid);
    }
    const found = searched(query, visible);
    const most = Number(reply.live.exchange.query["per_page"] ?? 30);
    const body = {
      total_count: found.length,
      incomplete_results: false,
      search_type: "lexical",
      items: found
        .slice(0, most)
        .map(({ repo, issue }) => issueWire(server.url, repo, issue, "issue-search-result-item")),
    };
    operation.mustFit(200, body);
    return sendJson(reply, 200, body);
  };

  const server = await listenOnLoopback(receive);
  return {
    url: server.url,
    world,
    signIn: signIn.world,
    calls: journal.entries,
    violations,
    app: { id: APP, privateKey: keys.privateKey.export({ type: "pkcs1", format: "pem" }).toString() },
    fault: (fault, operation, times = 1, after = 0) => {
      let left = after;
      const match = (name: string): boolean => name === operation && left-- <= 0;
      faults.push({ match, times, value: fault });
    },
    spoil: (fault, isNext) => faults.keep(fault, isNext),
    gate: (name) => gates.gate(name),
    close: async () => {
      journal.close();
      await server.close();
    },
  };
};

/** Where something was renamed, GitHub goes on by number. */
const byName = (world: ForgeWorld, path: string): string => {
  const [, number = "", rest = ""] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const repo = [...world.repos.values()].find((one) => String(repoId(one)) === number);
  return repo === undefined ? path : `/repos/${repo.owner}/${repo.name}${rest}`;
};

const sendOn = (reply: Reply, base: string, repo: FakeRepo): Promise<void> => {
  const { method, path, query } = reply.live.exchange;
  const rest = path.split("/").slice(4).join("/");
  const asked = new URLSearchParams(query).toString();
  const url = `${base}/repositories/${repoId(repo)}${rest === "" ? "" : `/${rest}`}${asked === "" ? "" : `?${asked}`}`;
  const body = { message: "Moved Permanently", url, documentation_url: "https://docs.github.com" };
  return sendJson(reply, method === "GET" ? 301 : 307, body, { location: url });
};

const HOUR = 3_600_000;

/** Counts against no allowance. */
const serveLimits = async (
  reply: Reply,
  operation: Operation,
  grant: Grant | "unknown" | null,
): Promise<void> => {
  if (grant === "unknown") return sendJson(reply, 401, { message: "Bad credentials" });
  const made = filled("rate-limit-overview", {});
  operation.mustFit(200, made);
  return sendJson(reply, 200, made);
};

/** What GitHub says of a token with every answer. */
const ofToken = (grant: Grant | "unknown" | null): Readonly<Record<string, string>> => {
  if (grant === null || grant === "unknown") return {};
  const { expires, scopes } = grant;
  const at = expires === undefined ? null : new Date(expires).toISOString();
  return {
    ...(at === null
      ? {}
      : { "github-authentication-token-expiration": `${at.slice(0, 19).replace("T", " ")} UTC` }),
    ...(scopes === undefined ? {} : { "x-oauth-scopes": scopes.join(", ") }),
  };
};

/** Counts requests of each token, and of all strangers together, by the hour. */
const createAllowance = () => {
  const windows = new Map<string, { used: number; readonly until: number }>();
  return (token: string | null, allowance: ForgeWorld["allowance"], now: number) => {
    const who = token ?? "";
    const limit = token === null ? allowance.stranger : allowance.token;
    const known = windows.get(who);
    const window = known === undefined || known.until <= now ? { used: 0, until: now + HOUR } : known;
    windows.set(who, window);
    window.used += 1;
    return {
      isOver: window.used > limit,
      headers: {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(Math.max(0, limit - window.used)),
        "x-ratelimit-reset": String(Math.ceil(window.until / 1_000)),
      },
    };
  };
};

/** GitHub takes a token as the password of anybody. */
const passwordIn = (request: IncomingMessage): string | null => {
  const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (encoded === undefined) return null;
  return /:(.*)$/s.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? null;
};

const SSO =
  "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.";

const sees = (grant: Grant | null, repo: FakeRepo): boolean =>
  !repo.isPrivate ||
  (grant !== null && (grant.repos.includes("*") || grant.repos.includes(`${repo.owner}/${repo.name}`)));

const send = async (reply: Reply, operation: Operation, ask: Ask, answer: Answer): Promise<void> => {
  switch (answer.kind) {
    case "notFound":
      return sendJson(reply, 404, { message: "Not Found" });
    case "redirect":
      return sendEmpty(reply, 302, { location: answer.to });
    case "invalid": {
      const errors = [{ resource: "", code: "custom", message: answer.message }];
      return sendJson(reply, 422, { message: "Validation Failed", errors });
    }
    case "refused":
      return sendJson(reply, answer.status, { message: answer.message });
    case "unprocessable": {
      const { errors } = answer;
      const body = { message: "Unprocessable Entity", errors, documentation_url: "https://docs.github.com" };
      operation.mustFit(422, body);
      return sendJson(reply, 422, body);
    }
    case "json": {
      const status = answer.status ?? 200;
      operation.mustFit(status, answer.body);
      return sendJson(reply, status, answer.body);
    }
    case "page": {
      const size = Math.min(100, Number(ask.query["per_page"] ?? 30));
      const page = Number(ask.query["page"] ?? 1);
      const items = answer.items.slice((page - 1) * size, page * size);
      const body = answer.wrap === undefined ? items : answer.wrap(items);
      operation.mustFit(200, body);
      const next = new URL(reply.live.exchange.path, ask.base);
      next.searchParams.set("page", String(page + 1));
      const last = new URL(next);
      last.searchParams.set("page", String(Math.ceil(answer.items.length / size)));
      const link =
        answer.items.length > page * size
          ? { link: `<${next.href}>; rel="next", <${last.href}>; rel="last"` }
          : {};
      const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("hex")}"`;
      return reply.live.exchange.headers["if-none-match"] === etag
        ? sendEmpty(reply, 304, { etag })
        : sendJson(reply, 200, body, { ...link, etag });
    }
  }
};

const spoil = async (
  reply: Reply,
  fault: Exclude<ForgeFault, { kind: "wait" | "lost" }>,
  now: number,
): Promise<void> => {
  switch (fault.kind) {
    case "limited": {
      const reset = String(Math.ceil(now / 1000) + fault.resetIn);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      return sendJson(reply, 403, { message: "API rate limit exceeded" }, headers);
    }
    case "secondary": {
      const message = "You have exceeded a secondary rate limit. Please wait a few minutes.";
      return sendJson(reply, 403, { message }, { "retry-after": String(fault.retryAfter) });
    }
    case "status":
      return sendHtml(reply, fault.status, "Unicorn!");
    case "stall":
      return reply.live.over.then(() => undefined);
    case "cut":
      reply.live.cut("reset");
  }
};

/** The store of logs: another service, which must never be shown the forge's credential. */
const serveLog = async (
  world: ForgeWorld,
  request: IncomingMessage,
  reply: Reply,
  path: string,
  violations: string[],
): Promise<void> => {
  if (request.headers.authorization !== undefined) violations.push("the log store was given a credential");
  const [, , owner, name, id] = path.split("/");
  const repo = world.repos.get(`${owner}/${name}`.toLowerCase());
  const run = repo?.runs.find((one) => String(runWire("", repo, one)["id"]) === id);
  return run?.log === undefined || run.log === null
    ? sendText(reply, 404, "gone")
    : sendText(reply, 200, run.log);
};
