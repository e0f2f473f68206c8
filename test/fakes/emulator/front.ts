/**
 * What stands before the emulated GitHub, for what it lacks: git over HTTP, sign-in of devices, the end of a draft by
 * GraphQL, the path for answers to comments, commit statuses, and lost requests. Each other request is the emulator's.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { operationOf } from "../forge/description.ts";
import type { Reply } from "../shared/answer.ts";
import { createDeviceRoutes, type DeviceWorld } from "../shared/device-flow.ts";
import { createExchange, type Exchange } from "../shared/exchange.ts";
import { serveGit } from "../shared/git-backend.ts";
import { createSchedule } from "../shared/schedule.ts";
import { listenOnLoopback, readBody } from "../shared/server.ts";
import type { Emulated } from "./emulator.ts";
import type { Mirror } from "./mirror.ts";

export interface Front {
  readonly url: string;
  readonly signIn: DeviceWorld;
  readonly calls: readonly { readonly operation: string; readonly exchange: Exchange }[];
  readonly violations: readonly string[];
  /** What people do at the forge; later requests see its effect. */
  act(done: () => Promise<unknown>): void;
  spoil(fault: FrontFault, isNext: (operation: string) => boolean): () => void;
  /** Serves the project's repository below `root`; `mirror` hands its pushes on. */
  serve(served: Served): void;
  close(): Promise<void>;
}

/** `stall`: nothing is done and nothing is answered. `lost`: all is done, and the answer never arrives. */
export type FrontFault = "stall" | "lost";

interface Served {
  readonly project: string;
  readonly root: string;
  readonly mirror: Mirror;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body: string | null;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const MAX_BODY = 1024 * 1024;

export const createFront = async ({ url: behind, store, tokens }: Emulated): Promise<Front> => {
  const calls: { readonly operation: string; readonly exchange: Exchange }[] = [];
  const violations: string[] = [];
  const faults = createSchedule<string, FrontFault>();
  let served: Served | null = null;
  let earlier: Promise<unknown> = Promise.resolve();

  /** One thing after the other, in the order of arrival. */
  const inOrder = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = earlier.then(work);
    earlier = done.catch((error: unknown) => violations.push(`the front failed: ${String(error)}`));
    return done;
  };

  const signIn = createDeviceRoutes("github", Date.now, violations, {
    grant: (token, { login, id }) => tokens.set(token, { login, id, scopes: ["repo", "user"] }),
    forget: (token) => tokens.delete(token),
  });

  const forward = async ({ method, path, token, body }: Asked): Promise<Answered> => {
    const answer = await fetch(`${behind}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      redirect: "manual",
      body,
    });
    const kept = [...answer.headers].filter(([name]) => /^(content-type|link|location|x-)/.test(name));
    return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() };
  };

  const answerTo = async (asked: Asked): Promise<Answered> => {
    // The emulator takes a token that it does not know for its first user's.
    if (!tokens.has(asked.token)) return json(401, { message: "Bad credentials" });
    await served?.mirror.push();
    if (asked.path === "/graphql") return markReady(asked);
    const path = asked.path.split("?")[0] ?? "";
    if (/^\/repos\/[^/]+\/[^/]+\/commits\/[^/]+\/status$/.test(path))
      return json(200, { state: "pending", statuses: [], total_count: 0 });
    const reply = /^(\/repos\/[^/]+\/[^/]+\/pulls\/\d+\/comments)\/(\d+)\/replies$/.exec(path);
    if (reply !== null && asked.method === "POST") {
      const [, comments = "", to] = reply;
      const { body: text } = replyBody.parse(JSON.parse(asked.body ?? "{}"));
      return forward({
        ...asked,
        path: comments,
        body: JSON.stringify({ body: text, in_reply_to_id: Number(to) }),
      });
    }
    const answer = await forward(asked);
    if (answer.status === 200 && asked.method === "PUT" && path.endsWith("/merge"))
      await served?.mirror.fetchMerge(merged.parse(JSON.parse(answer.text)).sha);
    return answer;
  };

  /** The only mutation of Parley. */
  const markReady = async (asked: Asked): Promise<Answered> => {
    const { variables } = graphBody.parse(JSON.parse(asked.body ?? "{}"));
    const pulls = store.collection("github.pull_requests").all();
    const pull = pulls.find(({ node_id: id }) => id === variables.id);
    if (pull === undefined)
      return json(200, { data: null, errors: [{ type: "NOT_FOUND", message: "none" }] });
    const path = `/repos/${served?.project}/pulls/${pull.number}`;
    const answer = await forward({ ...asked, method: "PATCH", path, body: JSON.stringify({ draft: false }) });
    if (answer.status !== 200) return answer;
    return json(200, { data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } });
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (/\.git\//.test(request.url ?? "")) return receiveGit(request, response);
    const read = await readBody(request, MAX_BODY);
    if (read.kind !== "read") return;
    const text = read.bytes.toString("utf8");
    const { pathname, search } = new URL(request.url ?? "/", server.url);
    const method = request.method ?? "GET";
    const signing = signIn.operationOf(method, pathname);
    const live = createExchange(calls.length + 1, request, text === "" ? undefined : text, response);
    const operation =
      signing ?? (pathname === "/graphql" ? "graphql" : (operationOf(method, pathname)?.name ?? "unknown"));
    calls.push({ operation, exchange: live.exchange });
    if (operation === "unknown") violations.push(`no such operation: ${method} ${pathname}`);
    const fault = faults.take(operation);
    if (fault === "stall") return void (await live.over);
    const { authorization } = request.headers;
    if (signing !== null)
      return signIn.serve(
        { live, response },
        { operation: signing, authorization, form: text, base: server.url, isLost: fault === "lost" },
      );
    const token = authorization?.replace(/^(token|bearer) /i, "") ?? "";
    const body = text === "" ? null : text;
    try {
      const answer = await inOrder(() => answerTo({ method, path: `${pathname}${search}`, token, body }));
      if (fault === "lost") return live.cut("reset");
      await send({ live, response }, answer, { from: behind, to: server.url });
    } catch {
      live.cut("reset");
    }
  };

  const receiveGit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", server.url);
    const isPush = `${searchParams.get("service") ?? ""}${pathname}`.includes("git-receive-pack");
    const operation = `git/${pathname.endsWith("/info/refs") ? "list" : isPush ? "push" : "fetch"}`;
    const live = createExchange(calls.length + 1, request, undefined, response);
    calls.push({ operation, exchange: live.exchange });
    const fault = faults.take(operation);
    if (fault === "stall") return void (await live.over);
    if (served === null || !tokens.has(passwordIn(request.headers.authorization)))
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
    const user = isPush ? "parley" : null;
    const { root } = served;
    const losesAnswer = fault === "lost";
    serveGit({ root, path: pathname, query: search.slice(1), user, losesAnswer }, request, response);
  };

  const server = await listenOnLoopback(receive);
  return {
    url: server.url,
    signIn: signIn.world,
    calls,
    violations,
    act: (done) =>
      void inOrder(async () => {
        await served?.mirror.push();
        await done();
      }).catch(() => undefined),
    spoil: (fault, isNext) => faults.keep(fault, isNext),
    serve: (next) => {
      served = next;
    },
    close: async () => {
      await earlier;
      await server.close();
    },
  };
};

const replyBody = z.object({ body: z.string() });
const merged = z.object({ sha: z.string() });
const graphBody = z.object({ variables: z.object({ id: z.string() }) });

const json = (status: number, body: object): Answered => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  text: JSON.stringify(body),
});

const send = async (
  { live, response }: Reply,
  { status, headers, text }: Answered,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const moved = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(from, to)] as const);
  response.writeHead(status, Object.fromEntries(moved));
  if (text === "" || (await live.write(Buffer.from(text.replaceAll(from, to))))) response.end();
};

/** GitHub takes a token as the password of anybody. */
const passwordIn = (authorization = ""): string => {
  const [, encoded = ""] = /^Basic (.+)$/.exec(authorization) ?? [];
  return /:(.*)$/s.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? "";
};
