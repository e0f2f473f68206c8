/**
 * GitLab as Parley sees it, at the wire, after its published documentation (wire.ts says what holds its answers to it;
 * GitLab's OpenAPI file is not here, because its licence, CC BY-SA 4.0, is not ours): attributes that it does not list are
 * violations, what a token may not see is not there, lines that begin with a slash are carried out, answers get lost.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Reply, sendEmpty, sendHtml, sendJson, sendText } from "../shared/answer.ts";
import { createExchange, type Exchange } from "../shared/exchange.ts";
import { createDeviceRoutes, type DeviceWorld } from "../shared/device-flow.ts";
import { createGates, type Gate } from "../shared/gates.ts";
import { serveGit } from "../shared/git-backend.ts";
import { createJournal } from "../shared/journal.ts";
import { createSchedule } from "../shared/schedule.ts";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import { type Answer, LOGIN, type Route, routes } from "./routes.ts";
import { createGitLabWorld, type FakeProject, type GitLabWorld, type Grant } from "./world.ts";

export type GitLabFault =
  /** Asked too often. `retryAfter`: seconds. */
  | { readonly kind: "limited"; readonly retryAfter: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "cut" }
  /** Never answered; nothing is done. */
  | { readonly kind: "stall" }
  | { readonly kind: "wait"; readonly gate: string }
  /** What is asked is done, and the answer never arrives. */
  | { readonly kind: "lost" };

export interface FakeGitLab {
  readonly url: string;
  readonly api: string;
  readonly world: GitLabWorld;
  /** People who connect their accounts. */
  readonly signIn: DeviceWorld;
  readonly calls: readonly { readonly operation: string; readonly exchange: Exchange }[];
  readonly violations: string[];
  fault(fault: GitLabFault, operation: string, times?: number): void;
  /** Spoils every call for which `isNext`, asked with the name of its operation, is true, until told to stop. */
  spoil(fault: GitLabFault, isNext: (operation: string) => boolean): () => void;
  gate(name?: string): Gate;
  close(): Promise<void>;
}

const MAX_BODY = 2 * 1024 * 1024;

/** `now`: epoch milliseconds. */
export const createFakeGitLab = async (now: () => number = Date.now): Promise<FakeGitLab> => {
  const world = createGitLabWorld(now);
  const journal = createJournal<FakeGitLab["calls"][number]>();
  const violations: string[] = [];
  const gates = createGates();
  const faults = createSchedule<string, GitLabFault>();

  const signIn = createDeviceRoutes("gitlab", now, violations, {
    grant: (token, { login }) => world.tokens.set(token, { ...world.peopleMay, login }),
    forget: (token) => world.tokens.delete(token),
  });

  /** Whether the answer is to be lost; null where the call is spoilt already. */
  const troubled = async (operation: string, reply: Reply): Promise<{ readonly isLost: boolean } | null> => {
    const fault = faults.take(operation);
    if (fault?.kind === "wait") await gates.pass(fault);
    if (fault === undefined || fault.kind === "wait") return { isLost: false };
    if (fault.kind === "lost") return { isLost: true };
    await spoil(reply, fault);
    return null;
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (/\.git\//.test(request.url ?? "")) return receiveGit(request, response);
    const bytes = await readBody(request, MAX_BODY);
    if (bytes.kind !== "read") return;
    const text = bytes.bytes.toString("utf8");
    const named = signIn.operationOf(request.method ?? "", new URL(request.url ?? "/", server.url).pathname);
    const body: unknown = text === "" ? undefined : named === null ? JSON.parse(text) : text;
    const live = createExchange(journal.entries.length + 1, request, body, response);
    if (named !== null) {
      journal.append({ operation: named, exchange: live.exchange });
      const trouble = await troubled(named, { live, response });
      if (trouble === null) return;
      const { authorization } = request.headers;
      const asked = { operation: named, authorization, form: text, base: server.url };
      return signIn.serve({ live, response }, { ...asked, ...trouble });
    }
    try {
      await serve({ live, response }, request);
    } catch (error) {
      violations.push(`the fake failed: ${String(error)}`);
      live.cut("reset");
    }
  };

  const serve = async (reply: Reply, request: IncomingMessage): Promise<void> => {
    const { exchange } = reply.live;
    if (`${exchange.method} ${exchange.path}` === "GET /api/v4/personal_access_tokens/self") {
      journal.append({ operation: "own token", exchange });
      return serveSelf(reply, request);
    }
    const [, encoded = "", below = ""] = /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(exchange.path) ?? [];
    const route = routes.find(({ method, path }) => method === exchange.method && path.test(below));
    journal.append({ operation: route?.name ?? "unknown", exchange });
    if (route === undefined || encoded === "") {
      violations.push(`no such operation: ${exchange.method} ${exchange.path}`);
      return sendJson(reply, 404, { error: "404 Not Found" });
    }
    if (request.headers["user-agent"] === undefined) violations.push("no User-Agent was sent");
    const trouble = await troubled(route.name, reply);
    if (trouble === null) return;
    const path = decodeURIComponent(encoded);
    const to = world.moved.get(path);
    if (to !== undefined) {
      const location = `${server.url}/api/v4/projects/${encodeURIComponent(to)}${below}`;
      return sendJson(reply, 301, { message: "Moved" }, { location });
    }
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? null;
    const isOver = token !== null && signIn.world.personOf(token) === null;
    const grant = token === null ? null : isOver ? "unknown" : (world.tokens.get(token) ?? "unknown");
    if (grant === "unknown") return sendJson(reply, 401, { message: "401 Unauthorized" });
    if (grant !== null && !has(grant, route.needs)) return sendJson(reply, 403, insufficient(route));
    const project = world.projects.get(path);
    const isStranger = world.lesser.get(grant?.login ?? "") === "stranger";
    if (project === undefined || isStranger || !sees(grant, project)) {
      return sendJson(reply, 404, { message: "404 Project Not Found" });
    }
    const complaint = complaintOf(route, exchange);
    if (complaint !== null) {
      violations.push(`${route.name}: ${complaint}`);
      return sendJson(reply, 400, { error: complaint });
    }
    const params = route.path.exec(below)?.slice(1) ?? [];
    const { query, body } = exchange;
    const login = grant?.login ?? LOGIN;
    const answer = route.serve({ base: server.url, world, project, params, query, body, login, now: now() });
    if (trouble.isLost) return reply.live.cut("reset");
    return send(reply, answer, server.url);
  };

  /** What a token may ask of itself, whatever its scopes. */
  const serveSelf = async (reply: Reply, request: IncomingMessage): Promise<void> => {
    const grant = world.tokens.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    if (grant === undefined) return sendJson(reply, 401, { message: "401 Unauthorized" });
    const { scopes, expires = null } = grant;
    const dates = { created_at: new Date(now()).toISOString(), last_used_at: null, expires_at: expires };
    return sendJson(reply, 200, {
      id: 4,
      name: "parley",
      revoked: false,
      active: true,
      user_id: 3,
      scopes,
      ...dates,
    });
  };

  const receiveGit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", server.url);
    const isPush = `${searchParams.get("service") ?? ""}${pathname}`.includes("git-receive-pack");
    const live = createExchange(journal.entries.length + 1, request, undefined, response);
    const operation = `git/${pathname.endsWith("/info/refs") ? "list" : isPush ? "push" : "fetch"}`;
    journal.append({ operation, exchange: live.exchange });
    const trouble = await troubled(operation, { live, response });
    if (trouble === null) return;
    const [, path = "", rest = ""] = /^\/(.+)\.git(\/.*)$/.exec(pathname) ?? [];
    const to = world.moved.get(path);
    if (to !== undefined) {
      return void response.writeHead(301, { location: `${server.url}/${to}.git${rest}${search}` }).end();
    }
    const shown = Buffer.from(
      request.headers.authorization?.replace(/^Basic /, "") ?? "",
      "base64",
    ).toString();
    const [, user = "", token = ""] = /^([^:]*):(.*)$/.exec(shown) ?? [];
    const grant = token === "" ? null : world.tokens.get(token);
    const project = world.projects.get(path);
    if (grant === undefined || user === "" || (grant === null && project?.isPrivate !== false)) {
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="GitLab"' }).end();
    }
    if (project === undefined || project.git === null || !sees(grant, project))
      return void response.writeHead(404).end();
    const may = grant !== null && (has(grant, "api") || grant.scopes.includes("write_repository"));
    const mayRead = may || grant?.scopes.includes("read_repository") === true;
    if (isPush ? !may || project.archived : !mayRead) return void response.writeHead(403).end();
    const { root } = project.git;
    const backend = {
      root,
      path: `${project.git.path}${rest}`,
      query: search.slice(1),
      user: isPush ? user : null,
    };
    serveGit({ ...backend, losesAnswer: trouble.isLost }, request, response);
  };

  const server = await listenOnLoopback(receive);
  return {
    url: server.url,
    api: `${server.url}/api/v4`,
    world,
    signIn: signIn.world,
    calls: journal.entries,
    violations,
    fault: (fault, operation, times = 1) =>
      faults.push({ match: (name) => name === operation, times, value: fault }),
    spoil: (fault, isNext) => faults.keep(fault, isNext),
    gate: (name) => gates.gate(name),
    close: async () => {
      journal.close();
      await server.close();
    },
  };
};

const has = ({ scopes }: Grant, needs: Route["needs"]): boolean =>
  scopes.includes("api") || (needs === "read_api" && scopes.includes("read_api"));

const insufficient = ({ needs }: Route) => ({
  error: "insufficient_scope",
  error_description: "The request requires higher privileges than provided by the access token.",
  scope: needs === "api" ? "api" : "api read_api",
});

const sees = (grant: Grant | null, project: FakeProject): boolean =>
  !project.isPrivate ||
  (grant !== null && (grant.projects.includes("*") || grant.projects.includes(project.path)));

const complaintOf = ({ query, body }: Route, exchange: Exchange): string | null => {
  const asked = query.safeParse(exchange.query);
  if (!asked.success) return `query: ${asked.error.message}`;
  if (body === null) return exchange.body === undefined ? null : "a body where none belongs";
  const given = body.safeParse(exchange.body);
  return given.success ? null : `body: ${given.error.message}`;
};

const send = (reply: Reply, answer: Answer, base: string): Promise<void> => {
  const { path, query } = reply.live.exchange;
  switch (answer.kind) {
    case "json":
      return sendJson(reply, answer.status ?? 200, answer.body);
    case "text":
      return sendText(reply, 200, answer.text);
    case "empty":
      return sendEmpty(reply, 204);
    case "refused":
      return sendJson(reply, answer.status, { message: [answer.message] });
    case "list": {
      const size = Math.min(100, Number(query["per_page"] ?? 20));
      const page = Number(query["page"] ?? 1);
      const { items } = answer;
      const next = items.length > page * size ? String(page + 1) : "";
      const follow = new URL(`${path}?${new URLSearchParams({ ...query, page: next }).toString()}`, base);
      const headers = {
        // GitLab counts no longer lists.
        ...(items.length > 10_000 ? {} : { "x-total": String(items.length) }),
        "x-page": String(page),
        "x-next-page": next,
        ...(next === "" ? {} : { link: `<${follow.href}>; rel="next"` }),
      };
      return sendJson(reply, 200, items.slice((page - 1) * size, page * size), headers);
    }
  }
};

const spoil = async (reply: Reply, fault: Exclude<GitLabFault, { kind: "lost" | "wait" }>): Promise<void> => {
  switch (fault.kind) {
    case "limited":
      return sendText(reply, 429, "Retry later\n", { "retry-after": String(fault.retryAfter) });
    case "status":
      return sendHtml(reply, fault.status, "GitLab is not responding");
    case "stall":
      return reply.live.over.then(() => undefined);
    case "cut":
      reply.live.cut("reset");
  }
};
