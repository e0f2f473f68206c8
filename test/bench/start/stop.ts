/**
 * Stop, as a person presses it: from the API call of the real host.
 *
 * During a tool: the command leaves a tree of ten processes, three of them daemonised (sessions of their own, parents
 * gone), all deaf to SIGTERM and SIGHUP. They are found and watched from outside, by their real process ids; the time
 * ends when the last of them is gone or a zombie. The floor is the same tree without a sandbox, killed by process id,
 * in the same rounds: it says how long the machine needs while it is as busy as it is. During a model call: until the fake Messages API, in a process of
 * its own, has told that the connection is gone, which is a little later than the truth. Then the next message is
 * said at once; while the stop is not through it is refused and said again, and the time ends at its acceptance.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Bench } from "../bench.ts";
import { launch } from "../child.ts";
import { atMost, measured } from "../figure.ts";
import { type Host, startHost } from "../host.ts";
import { smallRepository } from "../repository.ts";
import { temporary } from "../temporary.ts";

const PROCESSES = 10;
/** Rounds in one conversation, so that its length does not come to matter. */
const ROUNDS_EACH = 20;
const announced = z.object({ url: z.string(), apiKey: z.string() });

export const stopBench: Bench = {
  name: "stop",
  what: "stop during a tool and during a model call",
  run: async (scale, note) => {
    const rounds = scale === "tiny" ? 3 : 120;
    await using place = await temporary();
    await using model = launch([new URL("../../fakes/anthropic/main.ts", import.meta.url).pathname]);
    const server = announced.parse(JSON.parse(await model.line()));
    await using host = await startHost({
      data: join(place.path, "data"),
      compileCache: join(place.path, "cache"),
      repo: await smallRepository(join(place.path, "repo")),
      model: server,
    });
    const stage = { host, fake: controls(server.url), nextRequest: 1 };
    note(`${rounds} trees of ${PROCESSES} processes`);
    const floor: number[] = [];
    const tools = await repeat(rounds, stage, async (...round) => {
      floor.push(await killTree(`parley-bench-floor-${process.pid}-${floor.length}`));
      return stopTool(...round);
    });
    note(`${rounds} model calls`);
    const calls = await repeat(rounds, stage, stopCall);
    return [
      measured(
        "tree of 10 processes dead",
        "ms",
        tools.map(({ over }) => over),
        atMost(100, "p99"),
      ),
      measured("floor: the same tree, each killed from outside", "ms", floor),
      measured(
        "the model's request aborted",
        "ms",
        calls.map(({ over }) => over),
        atMost(20, "p99"),
      ),
      measured(
        "next message accepted, after a tool",
        "ms",
        tools.map(({ accepted }) => accepted),
      ),
      measured(
        "next message accepted, after a model call",
        "ms",
        calls.map(({ accepted }) => accepted),
      ),
    ];
  },
};

interface Stage {
  readonly host: Host;
  readonly fake: ReturnType<typeof controls>;
  /** Number in the fake's journal of the request that comes next. */
  nextRequest: number;
}

/** Milliseconds from pressing Stop. */
interface Stopped {
  readonly over: number;
  readonly accepted: number;
}

type Round = (stage: Stage, conversation: string, name: string) => Promise<Stopped>;

const repeat = async (rounds: number, stage: Stage, round: Round): Promise<readonly Stopped[]> => {
  const stopped: Stopped[] = [];
  let conversation = "";
  for (let n = 0; n < rounds; n++) {
    if (n % ROUNDS_EACH === 0) conversation = await stage.host.begin();
    stopped.push(await round(stage, conversation, `parley-bench-${process.pid}-${stage.nextRequest}`));
  }
  return stopped;
};

const stopTool: Round = async (stage, conversation, name) => {
  const { host, fake } = stage;
  await fake.script({ content: [{ kind: "tool", name: "bash", input: { command: tree(name) } }] });
  await sayInsisting(host, conversation, "Run it.");
  stage.nextRequest += 1;
  const pids = await treeOf(name);
  const from = performance.now();
  const stopping = host.act(conversation, { action: "stop" }).then(() => acceptedAfter(stage, conversation));
  await allDead(pids);
  const over = performance.now() - from;
  return { over, accepted: (await stopping) - from };
};

const stopCall: Round = async (stage, conversation, name) => {
  const { host, fake } = stage;
  await fake.script({ content: [{ kind: "text", text: ["A beginning", { gate: name }, "and an end."] }] });
  await sayInsisting(host, conversation, "Think.");
  const request = stage.nextRequest++;
  await fake.reached(name);
  const ended = fake.ended(request);
  const from = performance.now();
  const stopping = host.act(conversation, { action: "stop" }).then(() => acceptedAfter(stage, conversation));
  await ended;
  const over = performance.now() - from;
  return { over, accepted: (await stopping) - from };
};

/** Says the next message until it is accepted, lets it be answered, and tells when that was. */
const acceptedAfter = async ({ host, fake }: Stage, conversation: string): Promise<number> => {
  await fake.script({ content: [{ kind: "text", text: "Done." }] });
  await sayInsisting(host, conversation, "And now?");
  return performance.now();
};

/** A message that comes while the host is busy is refused (409); anything else is a fault. */
const sayInsisting = async (host: Host, conversation: string, text: string): Promise<void> => {
  for (;;) {
    const status = await host.say(conversation, text);
    if (status === 202) return;
    if (status !== 409) throw new Error(`a message was answered ${status}`);
    await sleep(1);
  }
};

/** Milliseconds that the machine takes to bury such a tree when nothing of ours is asked to. */
const killTree = async (name: string): Promise<number> => {
  const shell = spawn("/bin/bash", ["--noprofile", "--norc", "-c", tree(name)], { stdio: "ignore" });
  const gone = once(shell, "exit");
  const pids = await treeOf(name);
  const from = performance.now();
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await allDead(pids);
  const took = performance.now() - from;
  await gone;
  return took;
};

/** Ten processes that can be told by `name`: the shell, three children, three daemons, a chain of three. */
const tree = (name: string): string => `
trap '' TERM HUP
nap() { exec -a ${name} sleep 600; }
(nap) & (nap) & (nap) &
for daemon in 1 2 3; do (setsid bash -c 'exec -a "$0" sleep 600' ${name} > /dev/null 2>&1 &); done
bash -c 'bash -c "(exec -a \\$0 sleep 600); :" $0; :' ${name} &
wait`;

const treeOf = async (name: string): Promise<readonly number[]> => {
  for (;;) {
    const pids = await named(name);
    if (pids.length === PROCESSES && (await named(name)).join() === pids.join()) return pids;
    await sleep(5);
  }
};

const named = async (name: string): Promise<readonly number[]> => {
  const entries = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const lines = await Promise.all(entries.map((pid) => read(`/proc/${pid}/cmdline`)));
  return entries.filter((_, index) => lines[index]?.includes(name) === true);
};

const allDead = async (pids: readonly number[]): Promise<void> => {
  for (let left = pids; left.length > 0; ) {
    const states = await Promise.all(left.map((pid) => read(`/proc/${pid}/stat`)));
    left = left.filter((_, index) => !isOver(states[index] ?? ""));
    await sleep(1);
  }
};

const isOver = (stat: string): boolean => stat === "" || /\) [ZX] /.test(stat);

const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

const controls = (url: string) => {
  const control = async (path: string, body?: object): Promise<void> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}/__fake/${path}`, init);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the fake answered ${path}: ${text}`);
  };
  return {
    script: (turn: object) => control("script", { turns: [turn] }),
    reached: (gate: string) => control(`gates/${gate}/reached`),
    /** Settles when the answer to that request has ended. */
    ended: (request: number) => control(`requests/${request}/ended`),
  };
};
