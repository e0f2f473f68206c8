/**
 * One pull request from an alert to the base branch, on the wire-level Slack, model and forge with real git: what people
 * say and click in each chapter, what the model calls, and what happens on the forge in between. A chapter more is an
 * entry more in `chapters`.
 */

import { execFileSync } from "node:child_process";
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { expect } from "vitest";
import { call, say, type Turn } from "../../../fakes/anthropic/turn.ts";
import type { FakeSlack } from "../../../fakes/slack/fake.ts";
import { onEmulator } from "../../../fakes/emulator/side.ts";
import type { StorySide } from "../../../fakes/side.ts";
import { lastTurn } from "../../../crash/answers.ts";
import { PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { MOST_WAIT } from "../../../patience.ts";
import { type Attended, attend, CHANNEL, threadOf } from "../../../crash/platforms/person.ts";

/** Where the story stands when a chapter begins or ends. */
export interface Stage {
  readonly forge: StorySide;
  readonly slack: FakeSlack;
  readonly bare: string;
  /** Thread of the story; empty before the alert. */
  readonly root: string;
}

/** What the model knows: the results since the message that began the turn, and ids of quoted comments. */
interface Known {
  readonly told: string;
  readonly comments: readonly string[];
}

export interface Chapter {
  readonly name: string;
  /** Whether the message begins a turn of this chapter. */
  readonly isBegun: (text: string) => boolean;
  readonly choice: Attended["choice"];
  /** What the model calls next. Null: the turn is over, with `ends`. */
  readonly calls: (known: Known) => Turn | null;
  readonly ends: string;
  /** What happens first. Answers the thread, and the message after which the turn comes. */
  readonly begin: (
    stage: Stage,
  ) => Pick<Attended, "asker"> & { readonly root: string; readonly since: string };
  /** Turns begin by themselves, until this is true. */
  readonly until?: (stage: Stage) => boolean;
  /** People start the work again, as the thread asks them to if these turns broke off too often. */
  readonly revive?: (stage: Stage) => void;
}

const WRITTEN = "Done, as a person approved it";
const ORDER = "Find the cause";
const CLIENT = "Iv23liParleyClient";
export const BOB = {
  login: "bob-acme",
  id: 583_231,
  name: "Bob of Acme",
  commitEmail: "bob@noreply.example",
};

const saidByBob = ({ slack, root }: Stage, text: string) => {
  const { ts: since } = slack.as("bob").say(`@parley ${text}`, { channel: "general", thread: root });
  return { root, since, asker: "bob" } as const;
};

/** The turn's results do not name the draft of an earlier try, so the model begins from the draft. */
const draftedChange =
  (attempts: number, title: string) =>
  ({ told }: Known): Turn | null => {
    if (told.includes(WRITTEN) || told.includes("There is nothing to propose")) return null;
    if (!told.includes("The draft is open")) return call("draft", {});
    if (!told.includes("rehearsed")) {
      const command = `echo 'export const ATTEMPTS = ${attempts};' > retry.js\necho rehearsed`;
      return call("bash", { where: "draft", command });
    }
    return call("propose", {
      title,
      summary: `The number of attempts was ${attempts - 1}.`,
      test_command: `grep -q 'ATTEMPTS = ${attempts}' retry.js`,
    });
  };

const failTest = (stage: Stage): void =>
  stage.forge.failCheck(PROJECT, { name: "test", commit: commitOf(stage), log: "expected 4 attempts" });

const askWhy = ({ forge }: Stage): void =>
  forge.remark(PROJECT, 1, { author: "carol", text: "Why four?", path: "retry.js" });

/** Newest message of the thread. */
const newest = ({ slack, root }: Stage): string => slack.world.thread(CHANNEL, root).at(-1)?.ts ?? root;

const commitOf = ({ bare, forge }: Stage): string => run(bare, "rev-parse", headOf(forge));

export const repliesIn = (forge: StorySide) =>
  forge.remarks(PROJECT, 1).filter(({ text }) => text.includes("Written by Parley"));

const ASIDE =
  /I pushed [0-9a-f]{9} to |lets me look after |Checks of |People commented on |I no longer look|My work on /;

export const chapters: readonly Chapter[] = [
  {
    name: "alert",
    isBegun: (text) => text.endsWith(ORDER),
    choice: "Approve",
    ends: "The number of attempts is 0.",
    begin: ({ slack }) => {
      const { ts } = slack.app("sentry").post({ text: "Uploads are lost: no attempt was made" });
      return { root: ts, since: ts };
    },
    calls: ({ told }) => (told === "" ? call("bash", { command: "ls" }) : null),
  },
  {
    name: "card",
    isBegun: (text) => text.endsWith("fix the attempts"),
    choice: "Open a draft pull request",
    ends: "The pull request is open.",
    begin: (stage) => saidByBob(stage, "please fix the attempts"),
    calls: draftedChange(3, "Send at all"),
  },
  {
    name: "red check",
    isBegun: (text) => /Checks of the pull request failed; they[^]*say why\.$/.test(text),
    choice: "Look after this pull request",
    ends: "The check asked for one more.",
    begin: (stage) => {
      failTest(stage);
      return { root: stage.root, since: newest(stage) };
    },
    until: ({ slack, root }) => threadOf(slack, root).includes("I pushed "),
    revive: failTest,
    calls: draftedChange(4, "Send once more"),
  },
  {
    name: "review comment",
    isBegun: (text) => /People commented on the pull request; the[^]*say why\.$/.test(text),
    choice: "Approve",
    ends: "The comment is answered.",
    begin: (stage) => {
      const { forge, root } = stage;
      forge.setCheck(PROJECT, { name: "test", commit: commitOf(stage), state: "success" });
      forge.letWrite(PROJECT, "carol");
      askWhy(stage);
      return { root, since: newest(stage) };
    },
    until: ({ forge }) => repliesIn(forge).length > 0,
    revive: askWhy,
    calls: ({ told, comments }) =>
      // An answer that the forge did not take is given again; a refusal of the host is the end.
      !/Answered: |Nothing was posted/.test(told)
        ? call("answer_review", { comment: comments.at(-1) ?? "c0", text: "The test expects four." })
        : null,
  },
  {
    name: "merge",
    isBegun: (text) => text.endsWith("merge the pull request"),
    choice: "Approve",
    ends: "It is merged.",
    begin: (stage) => {
      stage.forge.review(PROJECT, 1, "carol", "approved");
      return saidByBob(stage, "merge the pull request");
    },
    calls: ({ told }) => (told.includes(WRITTEN) ? null : call("merge_pull_request", {})),
  },
];

export const chapterOf = (name: string): Chapter => {
  const found = chapters.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no chapter ${name}`);
  return found;
};

export const run = (bare: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: bare, encoding: "utf8" }).trim();

/** The only branch of the story. */
export const headOf = (forge: StorySide): string => {
  const heads = forge.posts(PROJECT).flatMap(({ pull }) => (pull === null ? [] : [pull.head]));
  const [head] = heads;
  if (head === undefined || heads.length > 1) throw new Error(`${heads.length} pull requests`);
  return head;
};

export const storyAnswer = ({ messages }: Pick<MessageCreateParams, "messages">): Turn => {
  const { task, told } = lastTurn(messages, (text) => chapters.find(({ isBegun }) => isBegun(text)));
  if (task === undefined) return say("Hello.");
  const comments = [...JSON.stringify(messages).matchAll(/comment ([a-z]\d+) on/g)];
  return task.calls({ told, comments: comments.flatMap(([, id]) => id ?? []) }) ?? say(task.ends);
};

/** GitHub as the npm package `emulate` has it, with the people of the story. */
export const onPublicEmulator = (): Promise<StorySide> =>
  onEmulator(PROJECT, { writers: [BOB.login], people: ["carol"] });

/** A forge whose people can connect, soon after they typed a code. */
export const connectable = async <Made extends Pick<StorySide, "letConnect" | "signIn">>(
  createSide: () => Promise<Made>,
): Promise<Made> => {
  const side = await createSide();
  side.letConnect(CLIENT);
  side.signIn.lasts.interval = 1;
  return side;
};

/** Before the alert, in front of a process: alice has the app watched, and bob connects his account. */
export const prepareStory = async ({ slack, forge }: Pick<Stage, "slack" | "forge">): Promise<void> => {
  const told = (who: string, wanted: RegExp): Promise<string> =>
    expect
      .poll(() => slack.world.ephemerals.findLast((one) => one.for === slack.as(who).id)?.text ?? "", OFTEN)
      .toMatch(wanted)
      .then(() => slack.world.ephemerals.findLast((one) => one.for === slack.as(who).id)?.text ?? "");
  slack.as("alice").command("/parley", `watch app A0SENTRY: ${ORDER}`, "general");
  await told("alice", /posts of the app A0SENTRY/);
  slack.as("bob").command("/parley", `connect ${forge.kind.replace("-token", "")}`, "general");
  const code = /`([0-9A-Z]{4}-?[0-9A-Z]{4})`/.exec(await told("bob", /enter the code/))?.[1] ?? "";
  forge.signIn.answer(code, BOB);
  await told("bob", /You are connected to .* as bob-acme\./);
};

const OFTEN = { interval: 50, timeout: MOST_WAIT };

/** Lives through a chapter to its end; answers the thread. */
export const liveChapter = async (chapter: Chapter, stage: Stage): Promise<string> => {
  const { choice, begin, until, revive, name } = chapter;
  const { root, since, asker = "alice" } = begin(stage);
  await attend(stage.slack, root, since, {
    choice,
    channel: CHANNEL,
    task: name,
    asker,
    aside: ASIDE,
    ...(until === undefined ? {} : { until: () => until({ ...stage, root }) }),
    ...(revive === undefined ? {} : { revive: () => revive({ ...stage, root }) }),
  });
  return root;
};
