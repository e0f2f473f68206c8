/** Connected people on a wire-level forge, GitHub or GitLab: the real rows in memory, a clock by hand, and what people are told. */

import { execFileSync } from "node:child_process";
import { expect, onTestFinished } from "vitest";
import { createForges } from "../../../../src/features/forge/forges.ts";
import { createChooser } from "../../../../src/features/forge/choose.ts";
import { openForgePeople } from "../../../../src/features/forge/people/people.ts";
import type { CredentialChoice } from "../../../../src/features/forge/choose.ts";
import type { PersonId } from "../../../../src/machine/id.ts";
import type { ChatSurface } from "../../../../src/ports/connection.ts";
import type { SealKey, SealKeyResult } from "../../../../src/ports/sealing.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import { english } from "../../../../src/i18n/say.ts";
import { randomId } from "../../../../src/app/process/random-id.ts";
import { createFakeForge } from "../../../fakes/forge/fake.ts";
import { createFakeGitLab } from "../../../fakes/gitlab/fake.ts";
import type { DeviceWorld } from "../../../fakes/shared/device-flow.ts";
import { createManualClock, type ManualClock } from "../../../runtime/world.ts";
import { openMemory } from "../../../store/in-memory.ts";
import { pushCommit } from "../../../fakes/shared/merge.ts";
import { scratch } from "../../../scratch.ts";
import { hasty } from "../hasty.ts";

export const TOKEN = "operator-token-0123456789";
export const CLIENT = "Iv23liParleyClient";
export const OCTOCAT = {
  login: "octocat",
  id: 583_231,
  name: "Mona Lisa",
  commitEmail: "mona@noreply.example",
};
export const HUBOT = { login: "hubot", id: 480_938, name: null, commitEmail: "hubot@noreply.example" };

export const KEY: SealKey = { kind: "key", bytes: Buffer.alloc(32, 7), id: "test", from: "setting" };
const OTHER: SealKey = { kind: "key", bytes: Buffer.alloc(32, 8), id: "other", from: "setting" };
export const otherKey = (): SealKey => OTHER;

/** A branch that Parley has pushed. */
export const BRANCH = "parley/c-1";

export interface ForgeFake {
  readonly kind: "github" | "gitlab";
  readonly url: string;
  readonly api: string;
  readonly signIn: DeviceWorld;
  readonly calls: readonly { readonly operation: string }[];
  /** Authors of issues and of their comments. */
  authors(): readonly string[];
  /** Parley has pushed BRANCH. */
  push(): void;
  /** Authors of pull requests. */
  pullAuthors(): readonly string[];
  /** A connected person who may do less than the token from now on; null: everything again. */
  lessen(login: string, to: "reader" | "stranger" | "sso" | null): void;
  /** The named operation is done, and its answer is lost. */
  lose(operation: string): void;
  /** The forge limits how often the named operation may be asked for, once. */
  limit(operation: string): void;
  /** The named operation is not answered usefully. */
  break(operation: string): void;
}

const PERMISSIONS = ["metadata", "issues", "contents", "pull_requests"].flatMap((what) => [
  `${what}=read`,
  `${what}=write`,
]);

export const onFakeGitHub = async (now: () => number): Promise<ForgeFake> => {
  const fake = await createFakeForge(now);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  const repo = fake.world.addRepo("acme/shop", { isPrivate: true });
  fake.world.tokens.set(TOKEN, { repos: ["*"], permissions: PERMISSIONS });
  fake.world.peopleMay = { repos: ["*"], permissions: PERMISSIONS };
  fake.signIn.client = { id: CLIENT, secret: null };
  fake.world.addIssue("acme/shop", { title: "Uploads crash", author: "ana", at: now() });
  return {
    kind: "github",
    url: fake.url,
    api: fake.url,
    signIn: fake.signIn,
    calls: fake.calls,
    push: () => {
      const root = scratch("people-git");
      const path = "/shop.git";
      execFileSync("git", ["init", "-q", "--bare", "-b", "main", `${root}${path}`]);
      for (const branch of ["main", BRANCH]) pushCommit(`${root}${path}`, branch, "retry.js", `${branch}\n`);
      repo.git = { root, path };
    },
    pullAuthors: () => repo.issues.flatMap(({ author, pull }) => (pull === null ? [] : [author])),
    lessen: (login, to) =>
      void (to === null ? fake.world.lesser.delete(login) : fake.world.lesser.set(login, to)),
    authors: () =>
      repo.issues.flatMap(({ author, comments }) => [author, ...comments.map((one) => one.author)]),
    limit: (operation) => fake.fault({ kind: "secondary", retryAfter: 3_600 }, operation),
    lose: (operation) => fake.fault({ kind: "lost" }, operation),
    break: (operation) => fake.fault({ kind: "status", status: 502 }, operation),
  };
};

export const onFakeGitLab = async (now: () => number): Promise<ForgeFake> => {
  const fake = await createFakeGitLab(now);
  onTestFinished(async () => {
    await fake.close();
    expect(fake.violations).toEqual([]);
  });
  const project = fake.world.addProject("acme/shop");
  fake.world.tokens.set(TOKEN, { projects: ["*"], scopes: ["api"] });
  fake.world.peopleMay = { projects: ["*"], scopes: ["api"] };
  fake.signIn.client = { id: CLIENT, secret: null };
  fake.world.addIssue("acme/shop", { title: "Uploads crash", author: "ana" });
  return {
    kind: "gitlab",
    url: fake.url,
    api: fake.api,
    signIn: fake.signIn,
    calls: fake.calls,
    // Without git, GitLab's stand-in takes every branch.
    push: () => undefined,
    pullAuthors: () => project.merges.map(({ author }) => author),
    lessen: (login, to) =>
      void (to === null || to === "sso" ? fake.world.lesser.delete(login) : fake.world.lesser.set(login, to)),
    authors: () => project.issues.flatMap(({ author, notes }) => [author, ...notes.map((one) => one.author)]),
    limit: (operation) => fake.fault({ kind: "limited", retryAfter: 3_600 }, operation),
    lose: (operation) => fake.fault({ kind: "lost" }, operation),
    break: (operation) => fake.fault({ kind: "status", status: 502 }, operation),
  };
};

/** A line in the thread, with the forge's words below. */
export interface ToldThread {
  readonly id: string;
  readonly text: string;
  readonly words?: string;
}

export interface ToldPerson {
  readonly person: string;
  readonly text: string;
}

export interface PeopleScene {
  readonly fake: ForgeFake;
  readonly clock: ManualClock;
  readonly opened: StorePorts;
  readonly told: readonly ToldPerson[];
  readonly lines: readonly ToldThread[];
  readonly logged: readonly string[];
  readonly choice: CredentialChoice;
  /** A host on the database; a second one is another process. */
  host(sealKey?: () => SealKeyResult, on?: StorePorts): PeopleHost;
}

export interface PeopleHost extends ReturnType<typeof openForgePeople> {
  /** Connects a person at the forge. */
  connect(person: PersonId, as?: typeof OCTOCAT | typeof HUBOT): Promise<void>;
}

/** `seconds`: how far the clock moves, in the pieces of a poll. */
export const pass = async (clock: ManualClock, seconds: number, until: () => boolean): Promise<void> => {
  for (let past = 0; past < seconds; past += 5) {
    clock.advance(5_000);
    await settled(until);
    if (until()) return;
  }
};

/** Requests are real, so the loop turns until the condition holds or nothing has happened for long. */
const settled = async (until: () => boolean): Promise<void> => {
  for (let turns = 0; turns < 40 && !until(); turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

export const peopleScene = async (
  onFake: (now: () => number) => Promise<ForgeFake>,
  opened: StorePorts = openMemory(),
): Promise<PeopleScene> => {
  const clock = createManualClock();
  clock.set(Date.UTC(2026, 10, 2, 12));
  const fake = await onFake(clock.now);
  const told: ToldPerson[] = [];
  const lines: ToldThread[] = [];
  const logged: string[] = [];
  const log = (message: string, fields: object = {}): void =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const access = { kind: `${fake.kind}-token`, token: TOKEN } as const;
  const connect = { clientId: CLIENT, clientSecret: null, web: null };
  const choice: CredentialChoice = {
    credentials: [{ repos: ["acme/*"], api: fake.api, git: fake.url, access, connect }],
    fits: () => true,
    userAgent: "parley-test",
    wire: hasty(),
  };
  const surface = {
    name: "slack",
    off: null,
    say: () => english,
    tell: (_: string, { id, text, words }: ToldThread) => {
      if (lines.every((line) => line.id !== id))
        lines.push({ id, text, ...(words === undefined ? {} : { words }) });
      return Promise.resolve({ kind: "put", message: "2" });
    },
    answer: ({ person }: { readonly person: string }, { text }: { readonly text: string }) => {
      told.push({ person, text });
      return Promise.resolve({ kind: "done", id: "1" });
    },
  } as unknown as ChatSurface;
  const scene: PeopleScene = {
    fake,
    clock,
    opened,
    told,
    lines,
    logged,
    choice,
    host: (sealKey = () => KEY, on = opened) => {
      const people = openForgePeople(createChooser(choice).connectable(), {
        ...on,
        ledger: {
          ...on.ledger,
          thread: () => ({ place: "C1", root: "1.1" }),
        } as unknown as StorePorts["ledger"],
        clock,
        log: { info: log, warn: log, error: log },
        randomId,
        sealKey,
        surfaces: () => [surface],
      });
      onTestFinished(async () => void (await people.leave()));
      people.start();
      return {
        ...people,
        connect: async (person, as = OCTOCAT) => {
          const [client] = people.own.clients;
          if (client === undefined) throw new Error("nobody can connect");
          const begun = await people.own.begin(person, { surface: "slack", place: "C1" }, client);
          if (begun.kind !== "code") throw new Error(begun.kind);
          fake.signIn.answer(begun.code.code, as);
          const before = told.length;
          const isTold = (): boolean => told.length > before;
          await pass(clock, 60, isTold);
          // A database outside of this process takes its time.
          const passes = (): boolean => {
            if (!isTold()) clock.advance(1_000);
            return isTold();
          };
          await expect.poll(passes, { interval: 20, timeout: 60_000 }).toBe(true);
          expect(told.at(-1)?.text).toContain(`as ${as.login}`);
        },
      };
    },
  };
  return scene;
};

export const forgesOf = (scene: PeopleScene) => createForges(scene.choice);
