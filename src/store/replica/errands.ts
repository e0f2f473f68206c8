/** What one host asks another one, through the database, and what it answers. */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Told } from "../../ports/fleet/fleet.ts";
import type { Link } from "./link.ts";
import type { Members } from "./membership.ts";
import type { Start } from "./push.ts";

/** Milliseconds that an errand may take, and between tries where the database is away. */
const PATIENCE = 30_000;
const PAUSE = 200;

/** Nothing where the host is no member. Asked twice it is there once. */
const ASK = `
WITH made AS (
  INSERT INTO parley.errands (id, asker, host, instance, body, after)
  SELECT $1, $2, name, instance, $4::json, seq FROM parley.hosts, parley.lease WHERE name = $3 AND joined IS NOT NULL
  ON CONFLICT (id) DO NOTHING RETURNING host, instance
)
SELECT instance, pg_notify('parley_hosts', host) FROM made
UNION ALL SELECT instance, NULL FROM parley.errands WHERE id = $1`;
/** What was answered to this host and, where it answers, what it was asked. */
const COLLECT = `
WITH answered AS (
  DELETE FROM parley.errands WHERE asker = $1 AND seq IS NOT NULL RETURNING id, answer, seq
), taken AS (
  UPDATE parley.errands SET taken = true WHERE host = $1 AND instance = $2 AND NOT taken AND $3 RETURNING id, body, after
)
SELECT 'answer' AS kind, id, answer AS json, seq FROM answered UNION ALL SELECT 'errand', id, body, after FROM taken`;
const ANSWER = `
WITH done AS (UPDATE parley.errands SET answer = $2::json, seq = lease.seq FROM parley.lease WHERE id = $1 RETURNING asker)
SELECT pg_notify('parley_hosts', asker) FROM done`;

const askedRow = z.object({ instance: z.string() });
const collectedRow = z.object({
  kind: z.enum(["answer", "errand"]),
  id: z.string(),
  json: z.unknown(),
  seq: z.coerce.number(),
});

type Answer = (errand: unknown) => Promise<unknown>;

export interface Errands {
  ask(host: string, errand: unknown): Promise<Told>;
  serve(answer: Answer): void;
  /** There may be something for this host. */
  collect(): Promise<void>;
  /** These hosts are there; the others answer nothing any more. */
  left(members: Members): void;
}

/** `reach` settles when the replica has that group. */
export const createErrands = (
  link: Link,
  { name, instance }: Start,
  reach: (seq: number) => Promise<void>,
): Errands => {
  const asked = new Map<string, { readonly of: string; readonly settle: (told: Told) => void }>();
  let answer: Answer | null = null;

  const take = async (id: string, errand: unknown, after: number, serve: Answer): Promise<void> => {
    await reach(after);
    const found = (await serve(errand)) ?? null;
    for (const until = performance.now() + PATIENCE; performance.now() < until; await sleep(PAUSE))
      if ((await link.ask(ANSWER, [id, JSON.stringify(found)])).kind === "rows") return;
  };

  const heard = async (id: string, found: unknown, seq: number): Promise<void> => {
    const one = asked.get(id);
    if (one === undefined) return;
    await reach(seq);
    one.settle({ kind: "told", answer: found });
  };

  const collect = async (): Promise<void> => {
    const serve = answer;
    const found = await link.ask(COLLECT, [name, instance, serve !== null]);
    if (found.kind === "trouble") return;
    for (const { kind, id, json, seq } of z.array(collectedRow).parse(found.rows)) {
      if (kind === "answer") void heard(id, json, seq);
      else if (serve !== null) void take(id, json, seq, serve);
    }
  };

  /** Which start of the host is to answer; null: none. */
  const send = async (id: string, host: string, errand: unknown): Promise<string | null> => {
    for (const until = performance.now() + PATIENCE; performance.now() < until; await sleep(PAUSE)) {
      const sent = await link.ask(ASK, [id, name, host, JSON.stringify(errand)]);
      if (sent.kind === "rows") return askedRow.safeParse(sent.rows[0]).data?.instance ?? null;
    }
    return null;
  };

  return {
    ask: async (host, errand) => {
      const id = randomUUID();
      const told = Promise.withResolvers<Told>();
      const timer = setTimeout(() => told.resolve(GONE), PATIENCE).unref();
      asked.set(id, { of: "", settle: told.resolve });
      const of = await send(id, host, errand);
      if (of === null) told.resolve(GONE);
      else asked.set(id, { of, settle: told.resolve });
      const answered = await told.promise;
      clearTimeout(timer);
      asked.delete(id);
      return answered;
    },
    serve: (serve) => {
      answer = serve;
      void collect();
    },
    collect,
    left: (members) => {
      for (const { of, settle } of asked.values())
        if (of !== "" && !members.some((one) => one.instance === of)) settle(GONE);
    },
  };
};

/** Of whoever is no host: it looks again and again whether there is an answer. */
export const askBeside = async (link: Link, host: string, errand: unknown): Promise<Told> => {
  const start = { name: `beside ${randomUUID()}`, instance: randomUUID() };
  const errands = createErrands(link, start, () => Promise.resolve());
  const looking = setInterval(() => void errands.collect(), PAUSE);
  const told = await errands.ask(host, errand);
  clearInterval(looking);
  return told;
};

const GONE = { kind: "gone" } as const;
