import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { OwnerReply } from "../ports/fleet.ts";
import type { DatabaseLink, DatabaseTrouble } from "./link.ts";
import type { Members } from "./membership.ts";
import { withPatience } from "./patience.ts";
import type { HostStart } from "./push.ts";

/** Time limit for an errand, in milliseconds. */
const LONGEST = 30_000;

/** Returns no row if the host is not a member. Sending the statement again adds no second errand. */
const ASK = `
WITH made AS (
  INSERT INTO parley.errands (id, asker, host, instance, body, after)
  SELECT $1, $2, name, instance, $4::json, seq FROM parley.hosts, parley.lease WHERE name = $3 AND joined IS NOT NULL
  ON CONFLICT (id) DO NOTHING RETURNING host, instance
)
SELECT instance, pg_notify('parley_hosts', host) FROM made
UNION ALL SELECT instance, NULL FROM parley.errands WHERE id = $1`;
/** Collects the answers to this host's errands and, if this host serves errands, the errands for this host. */
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
interface Asked {
  /** Instance of the host that must answer; null until known. */
  of: string | null;
  readonly settle: (answered: OwnerReply<unknown> | null) => void;
}

/** `reach`: resolves when the replica contains the group. */
export const createHostRequests = (
  link: DatabaseLink,
  { name, instance }: HostStart,
  reach: (seq: number) => Promise<void>,
) => {
  const asked = new Map<string, Asked>();
  let answer: Answer | null = null;

  const take = async (id: string, errand: unknown, after: number, serve: Answer): Promise<void> => {
    await reach(after);
    const answered = [id, JSON.stringify((await serve(errand)) ?? null)];
    await withPatience(() => link.ask(ANSWER, answered), LONGEST);
  };

  const heard = async (id: string, found: unknown, seq: number): Promise<void> => {
    const one = asked.get(id);
    if (one === undefined) return;
    await reach(seq);
    one.settle({ answer: found });
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

  return {
    ask: async (host: string, errand: unknown): Promise<OwnerReply<unknown> | null> => {
      const id = randomUUID();
      const told = Promise.withResolvers<OwnerReply<unknown> | null>();
      const timer = setTimeout(() => told.resolve(null), LONGEST).unref();
      const one: Asked = { of: null, settle: told.resolve };
      asked.set(id, one);
      const asking = [id, name, host, JSON.stringify(errand)];
      const sent = await withPatience(() => link.ask(ASK, asking), LONGEST);
      one.of = sent.kind === "rows" ? (askedRow.safeParse(sent.rows[0]).data?.instance ?? null) : null;
      if (one.of === null) one.settle(null);
      const answered = await told.promise;
      clearTimeout(timer);
      asked.delete(id);
      return answered;
    },
    serve: (serve: Answer): void => {
      answer = serve;
      void collect();
    },
    collect,
    /** Resolves every errand to a host outside `members` with null. */
    left: (members: Members): void => {
      for (const { of, settle } of asked.values())
        if (of !== null && !members.some((one) => one.instance === of)) settle(null);
    },
  };
};

/**
 * Sends an errand from a process that is not a host. The process polls for the answer, because it receives no notifications.
 */
export const askWithoutMembership = async (
  link: DatabaseLink,
  host: string,
  errand: unknown,
): Promise<OwnerReply<unknown> | DatabaseTrouble | null> => {
  const id = randomUUID();
  const asker = `beside ${id}`;
  const sent = await link.ask(ASK, [id, asker, host, JSON.stringify(errand)]);
  if (sent.kind === "trouble") return sent;
  if (sent.rows.length === 0) return null;
  const found = await withPatience(
    () => link.ask(COLLECT, [asker, id, false]),
    LONGEST,
    ({ rows }) => rows.length > 0,
  );
  if (found.kind === "trouble") return found;
  const [row] = z.array(collectedRow).parse(found.rows);
  return row === undefined ? null : { answer: row.json };
};
