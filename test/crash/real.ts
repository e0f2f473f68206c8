/**
 * The real `npm start` process on a small repository, in front of the wire-level Slack and model, ended by SIGKILL when
 * something that a test names has happened, and started again.
 */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { onTestFinished } from "vitest";
import type { Repo } from "../../src/ports/conversation.ts";
import { type RunningHost, startHost } from "../app/cli/host.ts";
import type { FakeAnthropic } from "../fakes/anthropic/fake.ts";
import type { FakeSlack } from "../fakes/slack/fake.ts";
import type { ForgeToSpoil } from "../fakes/side.ts";
import { replayDirectory } from "../replay.ts";
import { scratch } from "../scratch.ts";
import type { answerTo } from "./answers.ts";
import { createScene } from "./scene.ts";

/** When a process ends: at the `no`th, from 1, of what happens since it was spawned. */
export interface Point {
  readonly no: number;
  readonly kind:
    | "before a call to Slack"
    | "after a call to Slack"
    | "an acknowledged event"
    | "a request to the model"
    | "a commit"
    | "before a request to the forge"
    | "after a request to the forge";
}

export interface Real {
  readonly slack: FakeSlack;
  readonly model: FakeAnthropic;
  readonly data: string;
  /** A process that has come up. */
  start(): Promise<RunningHost>;
  /** A process that ends itself at the point; settles when it has, with false where `over` came first. */
  endAt(point: Point, over: Promise<unknown>): Promise<boolean>;
  /** Sets another point for the process that runs. The count starts now. */
  aim(point: Point): void;
}

interface RealOptions {
  /** What the channel is bound to; unset: a small repository on this machine. */
  readonly repo?: Repo;
  readonly forge?: ForgeToSpoil;
  /** What the model says. */
  readonly answer?: typeof answerTo;
}

export const createReal = async (
  env: Readonly<Record<string, string>> = {},
  { repo, forge, answer }: RealOptions = {},
): Promise<Real> => {
  const scene = await createScene(answer);
  const { slack, model } = scene;
  const data = scratch("real");
  await scene.bind(data, repo);
  const settings = { ...scene.settings, ...env };
  const running = new Set<ChildProcess>();
  let armed: (() => void) | null = null;
  let point: Point | null = null;
  let count = 0;

  const passed = (kind: Point["kind"]): boolean => {
    if (armed === null || point?.kind !== kind) return false;
    count += 1;
    if (count !== point.no) return false;
    armed();
    return true;
  };
  const forever = { times: Number.POSITIVE_INFINITY };
  slack.fault(
    { kind: "stall", applied: false },
    { ...forever, match: () => passed("before a call to Slack") },
  );
  slack.fault({ kind: "stall", applied: true }, { ...forever, match: () => passed("after a call to Slack") });
  model.fault({ kind: "reset" }, { ...forever, match: () => passed("a request to the model") });
  forge?.spoil("no answer", () => passed("before a request to the forge"));
  forge?.spoil("a lost acknowledgement", () => passed("after a request to the forge"));
  const files = watch(data, (_, name) => {
    if (name === "parley.sqlite-wal") passed("a commit");
  });

  const spawned = (child: ChildProcess): void => {
    running.add(child);
    child.once("exit", () => running.delete(child));
  };

  onTestFinished(async () => {
    files.close();
    await Promise.all(
      [...running].map((child) => {
        child.kill("SIGKILL");
        return once(child, "exit");
      }),
    );
    await scene.close();
    replayDirectory(data);
  });

  return {
    slack,
    model,
    data,
    start: () => startHost(data, settings, undefined, spawned),
    aim: (at) => {
      point = at;
      count = 0;
    },
    endAt: async (at, over) => {
      const ended = Promise.withResolvers<boolean>();
      const before = slack.deliveries.length;
      let isOver = false;
      point = at;
      count = 0;
      const host = startHost(data, settings, undefined, (child) => {
        spawned(child);
        child.once("exit", () => ended.resolve(!isOver));
        armed = () => {
          armed = null;
          child.kill("SIGKILL");
        };
      });
      const mine = armed;
      host.catch(() => undefined);
      const letGo = async (): Promise<void> => {
        if (armed !== mine) return;
        armed = null;
        isOver = true;
        await (await host).stop("SIGKILL");
      };
      void over.then(letGo);
      if (at.kind === "an acknowledged event") {
        void slack
          .waitForDelivery(before + at.no)
          .then((all) => all.at(-1)?.ended)
          .then(() => (armed === mine ? mine?.() : undefined));
      }
      return ended.promise;
    },
  };
};
