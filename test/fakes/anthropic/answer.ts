/** Puts answers on the wire. */

import { setTimeout as sleep } from "node:timers/promises";
import type { ServerResponse } from "node:http";
import type { LiveExchange } from "../shared/exchange.ts";
import type { Gates } from "../shared/gates.ts";
import type { Step } from "./plan.ts";
import { type Problem, problemBody } from "./problem.ts";

/** One exchange while it is being answered. */
export interface Reply {
  readonly live: LiveExchange;
  readonly response: ServerResponse;
  readonly requestId: string;
}

export const sendJson = async (reply: Reply, body: unknown): Promise<void> => {
  head(reply, 200, "application/json");
  await finish(reply, JSON.stringify(body));
};

export const sendProblem = async (reply: Reply, problem: Problem): Promise<void> => {
  const retryAfter = problem.retryAfter === undefined ? {} : { "retry-after": problem.retryAfter };
  head(reply, problem.status, "application/json", retryAfter);
  await finish(reply, JSON.stringify(problemBody(problem, reply.requestId)));
};

/** What a reverse proxy says when the API behind it is away. */
export const sendHtml = async (reply: Reply, status: number): Promise<void> => {
  head(reply, status, "text/html");
  await finish(
    reply,
    `<html><head><title>${status}</title></head><body><h1>${status} Bad Gateway</h1></body></html>`,
  );
};

/** 200, the headers of an answer, and no body. */
export const sendEmpty = async (reply: Reply): Promise<void> => {
  head(reply, 200, eventStream);
  await finish(reply, "");
};

/** Plays an answer step by step; returns when it is over or the client has gone away. */
export const play = async (
  reply: Reply,
  isStream: boolean,
  steps: readonly Step[],
  gates: Gates,
): Promise<void> => {
  head(reply, 200, isStream ? eventStream : "application/json");
  reply.response.flushHeaders();
  for (const step of steps) {
    switch (step.kind) {
      case "bytes":
        if (!(await reply.live.write(step.bytes))) {
          return;
        }
        break;
      case "gate":
        if (!(await passGate(reply, gates, step.gate))) {
          return;
        }
        break;
      case "cut":
        reply.live.cut("end");
        return;
      case "stall":
        await reply.live.over;
        return;
      case "pulse":
        while (await reply.live.write(step.bytes)) await sleep(step.everyMs);
        return;
      case "end":
        await finish(reply, "");
        return;
    }
  }
  await finish(reply, "");
};

/** Waits for the gate; false when the client went away first. */
export const passGate = async (reply: Reply, gates: Gates, gate: string): Promise<boolean> =>
  Promise.race([gates.pass({ gate }).then(() => true), reply.live.over.then(() => false)]);

const eventStream = "text/event-stream; charset=utf-8";

const head = (
  reply: Reply,
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  reply.response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-cache",
    "request-id": reply.requestId,
    ...headers,
  });
};

const finish = async (reply: Reply, text: string): Promise<void> => {
  if (text !== "" && !(await reply.live.write(Buffer.from(text)))) {
    return;
  }
  reply.response.end();
  await reply.live.over;
};
