/**
 * People who talk over HTTP while hosts go: each to one host as long as that answers, else to the next, as behind a balancer.
 * What they say has a number, and so has its answer: at the end each is there once.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CONSOLE_TOKEN, GATEWAY_TOKEN } from "./fleet.ts";
import { until } from "./within.ts";

/** Of a host. */
export interface Door {
  readonly name: string;
  readonly origin: string;
}

/** Milliseconds: who gets no answer asks somewhere else, or has lost patience with a whole turn. */
const PATIENCE = 4_000;
const TURN = 15_000;

const created = z.looseObject({ id: z.string() });
const listed = z.looseObject({ conversations: z.array(created) });
const detail = z.looseObject({ phase: z.string(), posts: z.array(z.unknown()) });

/** Null: no answer. */
const call = async (
  { origin }: Door,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown } | null> => {
  try {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${CONSOLE_TOKEN}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(path.startsWith("/v1/") ? TURN : PATIENCE),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
};

const failed = z.looseObject({ error: z.looseObject({ message: z.string() }) });

const answersIn = (said: unknown): readonly number[] =>
  [...JSON.stringify(said).matchAll(/This answers message (\d+)\./g)].map(([, no]) => Number(no));

/** `doors`: those of hosts that are there, as far as anybody knows. */
export const createCallers = (doors: () => readonly Door[]) => {
  let last = 0;
  let turn = 0;
  /** Those that were taken for sure. */
  const taken = new Set<number>();
  const next = (): Door => {
    const all = doors();
    const door = all[turn++ % Math.max(1, all.length)];
    if (door === undefined) throw new Error("there is no host to talk to");
    return door;
  };

  const read = async (id: string) => {
    const answer = await call(next(), "GET", `/api/conversations/${id}`);
    return answer?.status === 200 ? detail.parse(answer.body) : null;
  };

  return {
    /** A conversation that is this host's, as it was asked for there. */
    begin: (at: Door): Promise<string> =>
      until(`a conversation of ${at.name}`, async () => {
        const answer = await call(at, "POST", "/api/conversations", {});
        return answer?.status === 201 ? created.parse(answer.body).id : null;
      }),
    /** Settles once it is answered; `onTaken` when some host has taken it. */
    say: async (id: string, at: Door | null = null, onTaken: () => void = () => undefined): Promise<void> => {
      const no = (last += 1);
      let door = at;
      await until(`message ${no} taken`, async () => {
        const body = { id: `n-${no}`, text: `[message ${no}]` };
        const answer = await call(door ?? next(), "POST", `/api/conversations/${id}/messages`, body);
        if (answer?.status === 202) return true;
        door = null;
        return null;
      });
      taken.add(no);
      onTaken();
      let found = "";
      await until(
        `an answer to message ${no} in ${id}`,
        async () => {
          const seen = await read(id);
          if (seen === null) return null;
          found = JSON.stringify(seen);
          if (answersIn(seen.posts).includes(no)) return true;
          // A turn that broke off offers another try, and one that a storm before the model kept from it.
          if (seen.phase === "failed" || (seen.phase === "idle" && found.includes('"interrupted"')))
            await call(next(), "POST", `/api/conversations/${id}/actions`, { action: "retry" });
          return null;
        },
        100,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${found.slice(-2_000)}`);
      });
    },
    /** Says it to that host, which takes it; answers its number. */
    ask: async (id: string, at: Door, more: string): Promise<number> => {
      const no = (last += 1);
      const body = { id: `n-${no}`, text: `[message ${no}] ${more}` };
      const answer = await call(at, "POST", `/api/conversations/${id}/messages`, body);
      if (answer?.status !== 202) throw new Error(`message ${no} was not taken: ${JSON.stringify(answer)}`);
      taken.add(no);
      return no;
    },
    /** How the turn of that message ended. No other try is asked for. */
    outcome: (id: string, no: number): Promise<"answered" | "interrupted"> =>
      until(`an end of the turn of message ${no}`, async () => {
        const seen = await read(id);
        if (seen === null) return null;
        if (answersIn(seen.posts).includes(no)) return "answered";
        return JSON.stringify(seen).includes('"interrupted"') ? "interrupted" : null;
      }),
    retry: (id: string) => call(next(), "POST", `/api/conversations/${id}/actions`, { action: "retry" }),
    /** A client of OpenAI's, which does not say again what may have been taken. */
    complete: async (session: string): Promise<void> => {
      const no = (last += 1);
      const body = { model: "parley", messages: [{ role: "user", content: `[message ${no}]` }] };
      const headers = { authorization: `Bearer ${GATEWAY_TOKEN}`, "x-session-id": session };
      const answer = await call(next(), "POST", "/v1/chat/completions", body, headers);
      if (answer?.status !== 200) return sleep(200);
      // The gateway sends its head after ten seconds. A later error stands in the body (40.C1).
      if (answersIn(answer.body).includes(no)) taken.add(no);
      else if (!failed.safeParse(answer.body).success)
        throw new Error(`neither an answer nor an error: ${JSON.stringify(answer.body)}`);
    },
    /** Of what was said: not answered although it was taken, and answered twice. */
    verdict: async (): Promise<{
      readonly said: number;
      readonly lost: number[];
      readonly doubled: number[];
    }> => {
      const all = await call(next(), "GET", "/api/conversations?limit=200");
      const found = new Map<number, number>();
      for (const { id } of listed.parse(all?.body).conversations) {
        const seen = await until(`conversation ${id}`, () => read(id));
        for (const no of answersIn(seen.posts)) found.set(no, (found.get(no) ?? 0) + 1);
      }
      return {
        said: last,
        lost: [...taken].filter((no) => !found.has(no)),
        doubled: [...found].flatMap(([no, times]) => (times > 1 ? [no] : [])),
      };
    },
  };
};
