/**
 * Checks that every request must pass: origin, host, then token. Also adds headers and counts to every
 * response.
 */

import type { Context, Hono, Next } from "hono";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { bearerOf, equalsInConstantTime } from "../post/bearer.ts";
import { problem } from "./problem.ts";
import type { PathRoutes } from "../../src/ports/path-routes.ts";
import type { ConsoleRequest } from "../../src/ports/console.ts";
import type { Log } from "../../src/ports/host.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { Env, Web } from "./web.ts";
import {
  type GuardRules,
  hasCookie,
  isHostChanged,
  isSignedIn,
  KEY_HEADER,
  requestKeyOf,
  ownHost,
  ownOrigin,
  setCookie,
} from "./guard.ts";
import { createClientAddress } from "./client-address.ts";
import { createGuesses } from "./guesses.ts";
import { SECURITY_HEADERS } from "./headers.ts";

export interface GateDeps {
  readonly log: Log;
  readonly observer: Pick<Observer, "answered">;
  /** Route groups that answer requests on their own paths with their own tokens. */
  readonly besides: readonly PathRoutes[];
  readonly requests: readonly ConsoleRequest[];
  /** Null if no page is served. */
  readonly web: Web | null;
  /** Addresses and networks of trusted proxies, whose X-Forwarded-For counts (PARLEY_PROXY_ADDRESSES). */
  readonly proxies: readonly string[];
}

export const addGate = (app: Hono<Env>, deps: GateDeps, rules: () => GuardRules): void => {
  const { log, observer } = deps;
  app.use(async (c, next) => {
    await next();
    observer.answered(c.req.method, routePath(c), c.res.status);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  });
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("console: request failed", { error: error.message });
    return problem({ status: 500, code: "internal", message: "The host made a mistake; it is in its log." });
  });
  const admit = createAdmit(deps, rules);
  app.use((c, next) => admit(c, next));
};

/**
 * Routes for supervisors and load balancers, which have neither a host name nor a token. These routes reveal nothing
 * about conversations.
 */
const OPEN: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

const createAdmit = ({ besides, requests, web, log, proxies }: GateDeps, rulesNow: () => GuardRules) => {
  const guessesOf = new Map<string, ReturnType<typeof createGuesses>>();
  const clientOf = createClientAddress(proxies);
  const reported = new Set<string>();
  /** Reports each header once, because the same request arrives for every file of a page. */
  const report = (message: string, fields: Readonly<Record<string, string>>): void => {
    const key = `${message} ${Object.values(fields).join(" ")}`;
    if (reported.has(key) || reported.size >= MOST_REPORTED) return;
    reported.add(key);
    log.warn(message, fields);
  };

  const counterOf = (path: string): string =>
    requests.find((one) => one.path === path)?.counter ??
    besides.find((one) => one.owns(path))?.name ??
    "console";

  /** A right token is always accepted. Wrong tokens must wait once a route has received too many. */
  const compare = (c: Context<Env>, isRight: boolean): boolean | Response => {
    if (isRight) return true;
    const address = clientOf(c.env.incoming.socket.remoteAddress ?? "", c.req.header("x-forwarded-for"));
    const route = counterOf(c.req.path);
    const guessed = guessesOf.get(route) ?? createGuesses(() => performance.now());
    guessesOf.set(route, guessed);
    const { wait, isLast } = guessed(address);
    if (isLast) log.warn("console: too many wrong tokens", { address, route });
    return wait > 0 ? tooMany(wait) : false;
  };

  return async (c: Context<Env>, next: Next): Promise<Response | void> => {
    const rules = rulesNow();
    const head = {
      host: c.req.header("host"),
      origin: c.req.header("origin"),
      cookie: c.req.header("cookie"),
      key: c.req.header(KEY_HEADER),
    };
    const { path } = c.req;
    if (!ownOrigin(head, rules)) {
      if (!isHostChanged(head, c.req.header("sec-fetch-site"), rules))
        return refused("origin", FOREIGN_ORIGIN);
      const asked = URL.parse(head.origin ?? "")?.host ?? "";
      report("console: header Host changed by a proxy", { asked, host: told(head.host) });
      return refused("origin", changedHost(asked, told(head.host)));
    }
    if (OPEN.has(path)) return next();
    if (!ownHost(head.host, rules)) {
      report("console: request refused, host name not declared", { host: told(head.host) });
      const message = undeclared(told(head.host));
      return web !== null && wantsPage(c) ? web.refuse(message) : refused("host", message);
    }
    const bearer = bearerOf(c.req.header("authorization"));
    const beside = besides.find((one) => one.owns(path));
    if (beside !== undefined) {
      const known =
        bearer === null ||
        compare(
          c,
          besides.some((one) => one.knows(bearer)),
        );
      return known instanceof Response ? known : beside.fetch(c.req.raw);
    }
    const token = web !== null && path === "/" ? c.req.query("token") : undefined;
    const sent = token ?? bearer;
    const opened =
      sent === null
        ? isSignedIn(head, rules) || (web?.isFile(path) === true && hasCookie(head, rules))
        : compare(c, equalsInConstantTime(sent, rules.token));
    if (opened instanceof Response) return opened;
    if (opened) return token === undefined ? next() : exchange(rules, head.host);
    if (web === null || !wantsPage(c)) return unauthorized();
    return web.signIn(c.req.header("sec-fetch-site") === "cross-site");
  };
};

/**
 * Exchanges the link for a cookie and a key. The page removes the key from the address bar, and the token
 * leaves it.
 */
const exchange = (rules: GuardRules, host: string | undefined): Response => {
  const headers = {
    location: `${rules.published?.base ?? ""}/#key=${requestKeyOf(rules, host)}`,
    "set-cookie": setCookie(rules, host),
    "cache-control": "no-store",
  };
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
    message:
      "Send the console's token as Authorization: Bearer, or open the link that npm start prints in this browser.",
  });

const tooMany = (wait: number): Response => {
  const seconds = Math.max(1, Math.ceil(wait / 1_000));
  const answer = problem({
    status: 429,
    code: "too_many_wrong_tokens",
    message: `Too many wrong tokens were sent. Send the right one, or wait ${seconds} s.`,
  });
  answer.headers.set("retry-after", String(seconds));
  return answer;
};

/** Maximum number of different headers in the log during the process. */
const MOST_REPORTED = 20;

const refused = (what: "host" | "origin", message: string): Response =>
  problem({ status: 403, code: `foreign_${what}`, message });

/** Returns a header for the log: shortened, and with characters of host names only. */
const told = (header: string | undefined): string =>
  (header ?? "").replaceAll(/[^\w.:[\]-]/g, "").slice(0, 200);

const FOREIGN_ORIGIN = "Requests of another origin are refused. Scripts send no Origin.";

const changedHost = (asked: string, host: string): string =>
  `The browser asked ${asked}, and the request came with the header Host: ${host}. Let the proxy pass Host on (nginx: proxy_set_header Host $http_host;), or set PARLEY_PUBLIC_URL to the address in the browser.`;

const undeclared = (host: string): string =>
  `Requests under another host name are refused, and ${host === "" ? "this one has no header Host" : `${host} is not declared`}. Set PARLEY_PUBLIC_URL to the address in the browser or name the host in PARLEY_PROXY_HOSTS, or use 127.0.0.1.`;
