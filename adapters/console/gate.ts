/** What every request passes: its origin, its host, then the token; and the headers and counts of every answer. */

import type { Context, Hono, Next } from "hono";
import { routePath } from "hono/route";
import type { Log } from "../../src/runtime/ports.ts";
import type { Beside, ConsoleMetrics } from "./deps.ts";
import type { Env } from "./env.ts";
import { authorized, type GuardRules, ownHost, ownOrigin, sameSecret, setCookie } from "./guard.ts";
import { SECURITY_HEADERS } from "./headers.ts";
import { linkPage } from "./link-page.ts";
import { problem } from "./problem.ts";

export interface GateParts {
  readonly log: Log;
  readonly metrics: ConsoleMetrics;
  readonly rules: () => GuardRules;
  readonly beside: Beside | null;
}

export const addGate = (app: Hono<Env>, { log, metrics, rules, beside }: GateParts): void => {
  app.use(async (c, next) => {
    await next();
    metrics.answered(c.req.method, routePath(c), c.res.status);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  });
  app.onError((error) => {
    log.error("a console request failed", { error: error.message });
    return problem({ status: 500, code: "internal", message: "The host made a mistake; it is in its log." });
  });
  app.use((c, next) => admit(c, next, rules(), beside));
};

/** `/healthz` is for supervisors, which know neither name nor token; it tells nothing of conversations. */
const admit = async (
  c: Context<Env>,
  next: Next,
  rules: GuardRules,
  beside: Beside | null,
): Promise<Response | void> => {
  const head = {
    host: c.req.header("host"),
    origin: c.req.header("origin"),
    authorization: c.req.header("authorization"),
    cookie: c.req.header("cookie"),
  };
  if (!ownOrigin(head)) return foreign("origin");
  if (c.req.path === "/healthz") return next();
  if (!ownHost(head.host, rules)) return foreign("host");
  if (beside?.owns(c.req.path) === true) return beside.fetch(c.req.raw);
  const token = c.req.path === "/" ? c.req.query("token") : undefined;
  if (token !== undefined && sameSecret(token, rules.token)) return exchange(rules, head.host);
  if (token === undefined && authorized(head, rules)) return next();
  return wantsPage(c) ? linkPage(c.req.header("sec-fetch-site") === "cross-site") : unauthorized();
};

/** The link becomes a cookie, and the token leaves the address bar. */
const exchange = (rules: GuardRules, host: string | undefined): Response => {
  const headers = { location: "/", "set-cookie": setCookie(rules, host), "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
};

const wantsPage = (c: Context<Env>): boolean => {
  const accepts = c.req.header("accept") ?? "";
  return c.req.method === "GET" && !c.req.path.startsWith("/api/") && accepts.includes("text/html");
};

const unauthorized = (): Response =>
  problem({
    status: 401,
    code: "token_needed",
    message: "Send the console's token as Authorization: Bearer, or open the link that npm start prints.",
  });

const foreign = (what: "host" | "origin"): Response =>
  problem({ status: 403, code: `foreign_${what}`, message: `Requests of another ${what} are refused.` });
