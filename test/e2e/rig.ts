/** The real host process on a small real repository, with the wire-level model fake behind it. */

import { afterAll, beforeAll, onTestFinished } from "vitest";
import { z } from "zod";
import { createFakeAnthropic, type FakeAnthropic } from "../fakes/anthropic/fake.ts";
import { type RunningHost, startHost } from "../app/cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";
import { replayDirectory } from "../replay.ts";

const postSchema = z.looseObject({
  key: z.string(),
  kind: z.string(),
  markdown: z.string().optional(),
  output: z.string().nullish(),
  diff: z.string().nullish(),
  status: z.string().optional(),
});
const detailSchema = z.looseObject({
  id: z.string(),
  phase: z.string(),
  permission: z.string(),
  posts: z.array(postSchema),
  question: z.looseObject({ id: z.string(), reason: z.string() }).nullish(),
});

export type Detail = z.infer<typeof detailSchema>;

export interface Rig extends HostRig {
  readonly fake: FakeAnthropic;
}

export interface HostRig {
  readonly data: string;
  readonly repo: string;
  host(): RunningHost;
  /** SIGKILL and a new process on the same data. */
  crash(): Promise<void>;
  /** `repo`: another than the rig's. */
  begin(repo?: string): Promise<Thread>;
}

export interface Thread {
  readonly id: string;
  say(text: string, id?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  act(body: Readonly<Record<string, unknown>>): Promise<{ readonly status: number; readonly body: unknown }>;
  read(): Promise<Detail>;
  /** Waits on the event stream until the phase is one of these, then reads. */
  until(...phases: readonly string[]): Promise<Detail>;
  /** Says and waits until the turn needs a person again. */
  turn(text: string): Promise<Detail>;
}

/** Does it once what was begun is over. */
export type Later = (end: () => Promise<void>) => void;

/** `apiKey`: the one that the model's fake lets in, where it matters what it looks like. */
export const createRig = async (
  env: Readonly<Record<string, string>> = {},
  apiKey = "test-key",
  later: Later = onTestFinished,
): Promise<Rig> => {
  const fake = await createFakeAnthropic({ apiKey });
  later(() => fake.close());
  const rig = await startRig(
    {
      ANTHROPIC_API_KEY: fake.apiKey,
      ANTHROPIC_BASE_URL: fake.url,
      PARLEY_MODEL: "claude-sonnet-5-5",
      ...env,
    },
    later,
  );
  return { ...rig, fake };
};

/** One for the tests around it, each with threads of its own, which take all that they script: a start costs a second. */
export const shared = <T>(create: (later: Later) => Promise<T>): (() => T) => {
  const ends: (() => Promise<void>)[] = [];
  let made: T | null = null;
  beforeAll(async () => {
    made = await create((end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => {
    if (made === null) throw new Error("nothing is there before the tests run");
    return made;
  };
};

/** `env` names the model. */
export const startRig = async (
  env: Readonly<Record<string, string>>,
  later: Later = onTestFinished,
): Promise<HostRig> => {
  const data = scratch("e2e");
  const repo = await sampleRepo("# Sample\n\nA sample repository.\n");
  const settings = {
    PARLEY_REPO: repo,
    PARLEY_PORT: "0",
    ...env,
  };
  let host = await startHost(data, settings);
  later(async () => {
    await host.stop("SIGKILL");
    replayDirectory(data);
  });
  const begin = async (named?: string): Promise<Thread> => {
    const { body } = await host.call(
      "POST",
      "/api/conversations",
      named === undefined ? {} : { repo: named },
    );
    return createThread(() => host, z.looseObject({ id: z.string() }).parse(body).id);
  };
  return {
    data,
    repo,
    begin,
    host: () => host,
    crash: async () => {
      await host.stop("SIGKILL");
      host = await startHost(data, settings);
    },
  };
};

const createThread = (host: () => RunningHost, id: string): Thread => {
  const path = `/api/conversations/${id}`;
  const read = async (): Promise<Detail> => detailSchema.parse((await host().call("GET", path)).body);
  const until = async (...phases: readonly string[]): Promise<Detail> => {
    await phaseReached(host(), `${path}/events`, phases);
    return read();
  };
  const say = (text: string, message?: string) =>
    host().call("POST", `${path}/messages`, { text, id: message });
  return {
    id,
    say,
    act: (body) => host().call("POST", `${path}/actions`, body),
    read,
    until,
    turn: async (text) => {
      const said = await say(text);
      if (said.status !== 202) throw new Error(JSON.stringify(said));
      return until("idle", "failed", "awaitingApproval");
    },
  };
};

/** Reads the event stream until a snapshot or state names one of the phases. */
const phaseReached = async (host: RunningHost, path: string, phases: readonly string[]): Promise<void> => {
  const controller = new AbortController();
  const answer = await fetch(`${host.origin}${path}`, {
    headers: { authorization: `Bearer ${host.token}` },
    signal: controller.signal,
  });
  let text = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const said = [...text.matchAll(/"phase":"(\w+)"/g)].at(-1)?.[1];
    if (said !== undefined && phases.includes(said)) break;
  }
  controller.abort();
};
