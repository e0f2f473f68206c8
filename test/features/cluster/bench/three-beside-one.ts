/**
 * Turns a second of a fleet of three hosts beside those of a fleet of one, each host held to 0.3 of a core; PostgreSQL, the model and
 * the people are outside of that. A turn is a message through the gateway, a request to the model and its answer of 60 words:
 * no command, since what runs in a sandbox would take a host's share alike in both. Closed loop: so many sessions
 * at every host that it has always something to do. Both fleets stand beside each other and are measured by turns.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "../../../fakes/postgres.ts";
import { launch } from "../../../bench/child.ts";
import { atLeast, type Figure, measured, skipped } from "../../../bench/figure.ts";
import type { Host } from "../../../bench/host.ts";
import { smallRepository } from "../../../bench/repository.ts";
import { descendantsOf, processorTime } from "../../../bench/start/resident.ts";
import { GATEWAY_TOKEN, startHosts } from "./hosts.ts";
import { holdTo } from "./hold.ts";

const CORES = 0.3;
const WORDS = "60";
/** Milliseconds before a measurement, in which queues fill. */
const LEAD_IN = 2_000;
const SERVER = new URL("../../../bench/models/server.ts", import.meta.url).pathname;

interface Measured {
  /** A second. */
  readonly turns: number;
  /** Cores that each host used, on average. */
  readonly cores: number;
}

export const threeBesideOne = async (
  postgres: Postgres,
  directory: string,
  isTiny: boolean,
  note: (line: string) => void,
): Promise<readonly Figure[]> => {
  const { rounds, lasts, sessions } = isTiny
    ? { rounds: 1, lasts: 1_000, sessions: 2 }
    : { rounds: 5, lasts: 8_000, sessions: 16 };
  mkdirSync(directory, { recursive: true });
  const repo = await smallRepository(join(directory, "repo"));
  await using server = launch([SERVER, WORDS]);
  const model = `${await server.line()}/0`;
  const fleetOf = async (count: number) =>
    startHosts(count, {
      database: await postgres.create(),
      directory: join(directory, `of-${count}`),
      repo,
      compileCache: join(directory, "cache"),
      model,
    });
  const one = await fleetOf(1);
  const three = await fleetOf(3);
  const all = [...one, ...three];
  const ends: (() => Promise<void>)[] = [];
  try {
    note(`${sessions} sessions begin at each of ${all.length} hosts`);
    for (const host of all)
      await Promise.all(Array.from({ length: sessions }, (_, no) => turn(host, sessionOf(host, no))));
    for (const { pid } of all) {
      const hold = await holdTo(pid, CORES);
      if (hold.kind === "free") return [skipped("turns of three hosts beside those of one", hold.why)];
      ends.push(hold.end);
    }
    const ones: Measured[] = [];
    const threes: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      note(`round ${round + 1} of ${rounds}`);
      ones.push(await carried(one, sessions, lasts));
      threes.push(await carried(three, sessions, lasts));
    }
    return figures(ones, threes);
  } finally {
    await Promise.all(all.map((host) => host.end()));
    for (const end of ends) await end();
  }
};

const figures = (ones: readonly Measured[], threes: readonly Measured[]): readonly Figure[] => {
  const of = (all: readonly Measured[], what: keyof Measured): readonly number[] =>
    all.map((each) => each[what]);
  return [
    measured("turns of one host", "/s", of(ones, "turns")),
    measured("  cores that it had", "", of(ones, "cores")),
    measured("turns of three hosts", "/s", of(threes, "turns")),
    measured("  cores that each had", "", of(threes, "cores")),
    measured(
      "turns of three hosts beside those of one",
      "x",
      threes.map(({ turns }, round) => turns / (ones[round]?.turns ?? Number.NaN)),
      atLeast(2.5),
    ),
  ];
};

const sessionOf = ({ origin }: Host, no: number): string => `${new URL(origin).port}-${no}`;

const turn = async ({ origin }: Host, session: string): Promise<void> => {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${GATEWAY_TOKEN}`,
      "content-type": "application/json",
      "x-session-id": session,
    },
    body: JSON.stringify({ model: "parley", messages: [{ role: "user", content: "And the next?" }] }),
  });
  const said = await answer.text();
  if (answer.status !== 200) throw new Error(`the gateway answered ${answer.status}: ${said}`);
};

const carried = async (hosts: readonly Host[], sessions: number, lasts: number): Promise<Measured> => {
  let turns = 0;
  const over = new AbortController();
  const talking = hosts.flatMap((host) =>
    Array.from({ length: sessions }, async (_, no) => {
      while (!over.signal.aborted) {
        await turn(host, sessionOf(host, no));
        turns += 1;
      }
    }),
  );
  const begun = Promise.all(talking);
  begun.catch(() => undefined);
  await Promise.race([sleep(LEAD_IN), begun]);
  const [before, from, used] = [turns, performance.now(), await usedBy(hosts)];
  await Promise.race([sleep(lasts), begun]);
  const [after, to, until] = [turns, performance.now(), await usedBy(hosts)];
  over.abort();
  await begun;
  return {
    turns: ((after - before) / (to - from)) * 1_000,
    cores: (until - used) / (to - from) / hosts.length,
  };
};

/** Milliseconds of a processor. */
const usedBy = async (hosts: readonly Host[]): Promise<number> => {
  const pids = await Promise.all(hosts.map(async ({ pid }) => [pid, ...(await descendantsOf(pid))]));
  const times = await Promise.all(pids.flat().map((pid) => processorTime(pid).catch(() => 0)));
  return times.reduce((sum, time) => sum + time, 0);
};
