/**
 * Real hosts of two versions, of which the later one has one more migration, before one database: the earlier ones work until
 * the last of them has gone, then the later ones bring the rows up, and no earlier one joins any more.
 */

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type RunningHost, root, startHost } from "../../../app/cli/host.ts";
import { type Postgres, startPostgres } from "../../../fakes/postgres.ts";
import { sampleRepo } from "../../../sample-repo.ts";
import { isAll } from "../../../sample.ts";
import { scratch } from "../../../scratch.ts";
import { asked } from "../database/fleet.ts";
import { CONSOLE_TOKEN } from "./fleet.ts";
import { schemaOf, versionAfter, versionBefore } from "./versions.ts";
import { until, within } from "./within.ts";

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.end());

const isLong = isAll || process.env["FLEET_ENDS"] !== undefined;

interface Host {
  readonly lines: readonly string[];
  readonly process: ChildProcess;
  readonly active: Promise<RunningHost>;
  ended(): Promise<number | string>;
}

const seen = z.looseObject({
  id: z.string(),
  phase: z.string().optional(),
  posts: z.array(z.unknown()).optional(),
  question: z.looseObject({ id: z.string() }).nullish(),
});

const read = async ({ call }: RunningHost, id: string) =>
  seen.parse((await call("GET", `/api/conversations/${id}`)).body);
const begin = async ({ call }: RunningHost): Promise<string> =>
  seen.parse((await call("POST", "/api/conversations", {})).body).id;
const say = async (host: RunningHost, id: string, text: string, phase: string): Promise<void> => {
  const sent = await host.call("POST", `/api/conversations/${id}/messages`, { text });
  expect(sent.status).toBe(202);
  await reaches(host, id, phase);
};
const reaches = (host: RunningHost, id: string, phase: string) =>
  until(phase, async () => ((await read(host, id)).phase === phase ? true : null));

const upgrade = async (postgres: Postgres, earlier: string, later: string): Promise<void> => {
  const database = await postgres.create();
  const shared = join(scratch("shared"), "shared");
  mkdirSync(shared);
  const repo = await sampleRepo("# Sample\n");
  const data = { one: scratch("upgrade-one"), two: scratch("upgrade-two") };
  type Name = keyof typeof data;
  const settings = (name: string) => ({
    PARLEY_DATABASE: database,
    PARLEY_HOST_NAME: name,
    PARLEY_SHARED_STORAGE: shared,
    PARLEY_CONSOLE_TOKEN: CONSOLE_TOKEN,
    PARLEY_REPO: repo,
  });

  const start = async (version: string, name: Name): Promise<Host> => {
    const spawned = Promise.withResolvers<ChildProcess>();
    const bin = join(version, "bin/parley.js");
    const running = startHost(data[name], settings(name), bin, spawned.resolve);
    const child = await spawned.promise;
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => lines.push(line));
    const exit = once(child, "exit");
    const told = (): string => lines.join("\n");
    const active = within(`${name} at work`, running, told);
    // One that only stood by is ended.
    active.catch(() => undefined);
    return {
      lines,
      process: child,
      active,
      ended: async () => {
        const [code, signal] = await within(`the end of ${name}`, exit, told);
        return code ?? signal;
      },
    };
  };
  const typed = async (version: string, name: string, ...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], PARLEY_DATA: data.two, ...settings(name) };
    const typing = [join(version, "bin/parley.js"), ...args];
    return (await promisify(execFile)(process.execPath, typing, { cwd: root, env })).stdout;
  };

  const one = await start(earlier, "one");
  const first = await one.active;
  const two = await start(earlier, "two");
  await until("two", () => (two.lines.some((line) => /: two/.test(line)) ? true : null));
  const [talk, asking] = [await begin(first), await begin(first)];
  await say(first, talk, "said to the earlier one", "idle");
  await say(first, asking, "add a line to README.md", "awaitingApproval");
  const question = (await read(first, asking)).question?.id ?? "";

  two.process.kill("SIGTERM");
  expect(await two.ended()).toBe(0);
  const next = await start(later, "two");
  await until("what two waits for", () =>
    next.lines.some((line) => line.includes("hosts of an older version are active")) ? true : null,
  );
  const [, origin = ""] = /^standing by: two on (\S+)$/m.exec(next.lines.join("\n")) ?? [];
  const answers = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(`${origin}${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 503]);
  await say(first, talk, "said while the later one waits", "idle");
  expect(await asked(database, "SELECT schema FROM parley.lease")).toEqual([{ schema: schemaOf(earlier) }]);

  expect(await typed(later, "beside", "drain", "one")).toContain("one has handed over");
  expect(await one.ended()).toBe(0);
  const second = await next.active;
  expect(await asked(database, "SELECT schema FROM parley.lease")).toEqual([{ schema: schemaOf(later) }]);
  expect((await read(second, asking)).question?.id).toBe(question);
  const again = await start(earlier, "one");
  await expect(again.active).rejects.toThrow("newer Parley");
  expect(await again.ended()).toBe(1);

  const third = await (await start(later, "one")).active;
  await say(third, talk, "said to the later one", "idle");
  const decided = { action: "decide", question, choice: "deny" };
  expect((await third.call("POST", `/api/conversations/${asking}/actions`, decided)).status).toBe(200);
  await reaches(second, asking, "idle");
  const posts = JSON.stringify((await read(second, talk)).posts);
  for (const text of ["said to the earlier one", "said while the later one waits", "said to the later one"])
    expect(posts.split(text).length, text).toBeGreaterThan(1);
  for (const id of [talk, asking]) expect(await typed(later, "two", "replay", id)).toContain("identical");
};

it("hosts of this version are upgraded one after the other to one that changes the tables", async ({
  skip,
}) => {
  if (postgres === null) return skip();
  await upgrade(postgres, root, versionAfter());
});

if (!isLong)
  console.log("left out: the upgrade from the version before this one; npm run crash -- fleet 1 has it");

it.skipIf(!isLong)("hosts of the version before are upgraded to this one", async ({ skip }) => {
  if (postgres === null) return skip();
  const before = versionBefore();
  if (before === null) return skip("this clone does not have the commit of the version before");
  await upgrade(postgres, before, root);
});
