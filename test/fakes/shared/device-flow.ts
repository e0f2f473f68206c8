/**
 * Sign-in of people at a forge, at the wire: the device flow of a GitHub App and of a GitLab application (RFC 8628), tokens
 * that end, renewal with a new refresh token each time, and the person's account. GitHub answers errors with status 200 and
 * GitLab with 400, each with its documented fields.
 */

import { randomBytes } from "node:crypto";
import { type Reply, sendJson, sendText } from "./answer.ts";

export interface ForgePerson {
  readonly login: string;
  readonly id: number;
  readonly name: string | null;
  /** GitLab's address for commits. */
  readonly commitEmail?: string;
}

interface Request {
  readonly device: string;
  readonly code: string;
  readonly ends: number;
  interval: number;
  asked: number;
  answer: ForgePerson | "denied" | null;
  spent: boolean;
}

interface Pair {
  readonly person: ForgePerson;
  readonly access: string;
  readonly refresh: string;
  readonly accessEnds: number;
  isUsed: boolean;
}

export interface DeviceWorld {
  /** Null: the forge knows no app with a device flow. */
  client: { readonly id: string; readonly secret: string | null; readonly isDisabled?: boolean } | null;
  /** Seconds. */
  readonly lasts: { code: number; interval: number; access: number };
  /** Codes that wait for a person, the oldest first. */
  readonly waiting: () => readonly string[];
  /** A person types the code at the forge's page. */
  answer(code: string, person: ForgePerson | "denied"): void;
  /** The person takes the app's authorization back. */
  revoke(login: string): void;
  /** So many questions are answered with `slow_down`. */
  slow: number;
  /** The person behind a token that has not ended; null if it has; undefined for a token of another kind. */
  personOf(token: string): ForgePerson | null | undefined;
  readonly pairs: readonly Pair[];
}

export interface DeviceRoutes {
  readonly world: DeviceWorld;
  /** Name of the operation for faults and journals; null for another path. */
  operationOf(method: string, path: string): string | null;
  serve(reply: Reply, asked: AskedSignIn): Promise<void>;
}

interface AskedSignIn {
  readonly operation: string;
  readonly authorization: string | undefined;
  readonly form: string;
  readonly base: string;
  readonly isLost: boolean;
}

const FORMS = {
  github: {
    code: "POST /login/device/code",
    token: "POST /login/oauth/access_token",
    revoke: null,
    page: "/login/device",
    error: 200,
    lasts: { code: 900, interval: 5, access: 28_800 },
    prefixes: ["ghu_", "ghr_"],
  },
  gitlab: {
    code: "POST /oauth/authorize_device",
    token: "POST /oauth/token",
    revoke: "POST /oauth/revoke",
    page: "/oauth/device",
    error: 400,
    lasts: { code: 300, interval: 5, access: 7_200 },
    prefixes: ["", ""],
  },
} as const;

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** `now`: epoch milliseconds. `forget`: called with access tokens that have ended. `grant`: called with new ones. */
export const createDeviceRoutes = (
  kind: keyof typeof FORMS,
  now: () => number,
  violations: string[],
  tokens: { grant(token: string, person: ForgePerson): void; forget(token: string): void },
): DeviceRoutes => {
  const form = FORMS[kind];
  const requests: Request[] = [];
  const pairs: Pair[] = [];
  const [accessPrefix, refreshPrefix] = form.prefixes;
  const lasts: DeviceWorld["lasts"] = { ...form.lasts };

  const end = (pair: Pair): void => {
    pair.isUsed = true;
    tokens.forget(pair.access);
  };

  const issue = (person: ForgePerson): object => {
    const pair: Pair = {
      person,
      access: `${accessPrefix}${randomBytes(20).toString("hex")}`,
      refresh: `${refreshPrefix}${randomBytes(40).toString("hex")}`,
      accessEnds: now() + lasts.access * 1_000,
      isUsed: false,
    };
    pairs.push(pair);
    tokens.grant(pair.access, person);
    const common = { access_token: pair.access, expires_in: lasts.access, refresh_token: pair.refresh };
    return kind === "github"
      ? { ...common, refresh_token_expires_in: 15_897_600, scope: "", token_type: "bearer" }
      : { ...common, scope: "api", token_type: "Bearer", created_at: Math.floor(now() / 1_000) };
  };

  const world: DeviceWorld = {
    client: null,
    slow: 0,
    lasts,
    waiting: () =>
      requests.filter(({ answer, ends }) => answer === null && ends > now()).map(({ code }) => code),
    answer: (code, person) => {
      const request = requests.find((one) => one.code === code);
      if (request === undefined || request.ends <= now()) throw new Error(`no code ${code}`);
      request.answer = person;
    },
    revoke: (login) => pairs.filter(({ person }) => person.login === login).forEach(end),
    personOf: (token) => {
      const pair = pairs.find(({ access }) => access === token);
      if (pair === undefined) return undefined;
      return pair.isUsed || pair.accessEnds <= now() ? null : pair.person;
    },
    pairs,
  };

  const start = (given: URLSearchParams, base: string): object => {
    const code = `${randomBytes(2).toString("hex")}-${randomBytes(2).toString("hex")}`.toUpperCase();
    const request: Request = {
      device: randomBytes(20).toString("hex"),
      code,
      ends: now() + lasts.code * 1_000,
      interval: lasts.interval,
      asked: now(),
      answer: null,
      spent: false,
    };
    requests.push(request);
    if (kind === "gitlab" && given.get("scope") !== "api") violations.push("no scope was asked for");
    const page = `${base}${form.page}`;
    return {
      device_code: request.device,
      user_code: code,
      verification_uri: page,
      ...(kind === "gitlab" ? { verification_uri_complete: `${page}?user_code=${code}` } : {}),
      expires_in: lasts.code,
      interval: request.interval,
    };
  };

  const poll = (device: string): object => {
    const request = requests.find((one) => one.device === device);
    if (request === undefined || request.spent)
      return failure(kind === "github" ? "incorrect_device_code" : "invalid_grant");
    if (request.ends <= now()) return failure("expired_token");
    const isEarly = now() - request.asked < request.interval * 1_000;
    request.asked = now();
    if (isEarly) violations.push("the forge was asked faster than it allows");
    if (isEarly || world.slow > 0) {
      world.slow -= 1;
      request.interval += 5;
      return { ...failure("slow_down"), ...(kind === "github" ? { interval: request.interval } : {}) };
    }
    if (request.answer === null) return failure("authorization_pending");
    request.spent = true;
    return request.answer === "denied" ? failure("access_denied") : issue(request.answer);
  };

  const renew = (refresh: string): object => {
    const pair = pairs.find((one) => one.refresh === refresh);
    if (pair === undefined || pair.isUsed)
      return failure(kind === "github" ? "bad_refresh_token" : "invalid_grant");
    end(pair);
    return issue(pair.person);
  };

  const account = (token: string | null): object | null => {
    const person = token === null ? null : world.personOf(token);
    if (person == null) return null;
    const { login, id, name, commitEmail = "" } = person;
    return kind === "github"
      ? { login, id, node_id: "U_1", type: "User", site_admin: false, name, email: null }
      : {
          id,
          username: login,
          name: name ?? login,
          state: "active",
          email: commitEmail,
          commit_email: commitEmail,
        };
  };

  const answerOf = (operation: string, given: URLSearchParams, base: string): readonly [number, object] => {
    const { client } = world;
    if (client === null || given.get("client_id") !== client.id)
      return kind === "github" ? [404, { error: "Not Found" }] : [401, failure("invalid_client")];
    if (client.isDisabled === true)
      return kind === "github"
        ? [400, failure("device_flow_disabled")]
        : [401, failure("unauthorized_client")];
    if (
      client.secret !== null &&
      operation !== "sign-in/code" &&
      given.get("client_secret") !== client.secret
    )
      return [form.error, failure(kind === "github" ? "incorrect_client_credentials" : "invalid_client")];
    if (operation === "sign-in/code") return [200, start(given, base)];
    if (operation === "sign-in/revoke") {
      pairs.filter(({ access }) => access === given.get("token")).forEach(end);
      return [200, {}];
    }
    const said =
      operation === "sign-in/renew"
        ? renew(given.get("refresh_token") ?? "")
        : poll(given.get("device_code") ?? "");
    return ["error" in said ? form.error : 200, said];
  };

  return {
    world,
    operationOf: (method, path) => {
      const called = `${method} ${path}`;
      if (called === form.code) return "sign-in/code";
      if (called === form.token) return "sign-in/token";
      if (called === form.revoke) return "sign-in/revoke";
      return /^GET (\/api\/v4)?\/user$/.test(called) ? "sign-in/account" : null;
    },
    serve: async (reply, { operation: named, authorization = "", form: text, base, isLost }) => {
      const { headers } = reply.live.exchange;
      if (named === "sign-in/account") {
        const found = account(/^Bearer (.+)$/.exec(authorization)?.[1] ?? null);
        if (isLost) return reply.live.cut("reset");
        return found === null
          ? sendJson(reply, 401, { message: "Bad credentials" })
          : sendJson(reply, 200, found);
      }
      // GitHub answers in the form of a query without this header.
      if (headers["accept"] !== "application/json") violations.push("JSON was not asked for");
      if (!String(headers["content-type"]).startsWith("application/x-www-form-urlencoded"))
        return sendText(reply, 415, "unsupported");
      const given = new URLSearchParams(text);
      const grant = given.get("grant_type");
      if (named === "sign-in/token" && grant !== "refresh_token" && grant !== DEVICE_GRANT)
        return sendJson(reply, form.error, failure("unsupported_grant_type"));
      const operation = named === "sign-in/token" && grant === "refresh_token" ? "sign-in/renew" : named;
      const [status, body] = answerOf(operation, given, base);
      if (isLost) return reply.live.cut("reset");
      return sendJson(reply, status, body);
    },
  };
};

const failure = (error: string): object => ({
  error,
  error_description: error.replaceAll("_", " "),
  error_uri: "https://docs.github.com/developers",
});
