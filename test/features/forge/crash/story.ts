/**
 * One pull request from the thread to the base branch, on the wire-level Slack, model and forge with real git: what alice
 * says and clicks in each chapter, what the model calls, and what happens on the forge in between. A chapter more is an
 * entry more in `chapters`.
 */

import { execFileSync } from "node:child_process";
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages/messages";
import { call, say, type Turn } from "../../../fakes/anthropic/turn.ts";
import type { FakeSlack } from "../../../fakes/slack/fake.ts";
import type { Side } from "../../../fakes/side.ts";
import { lastTurn } from "../../../crash/answers.ts";
import { PROJECT } from "../../../crash/platforms/killed-forge.ts";
import { type Alice, attend, CHANNEL } from "../../../crash/platforms/person.ts";

/** Where the story stands when a chapter begins or ends. */
export interface Stage {
  readonly forge: Side;
  readonly slack: FakeSlack;
  readonly bare: string;
  /** Thread of the story. */
  readonly root: string;
}

export interface Chapter {
  /** What alice says in the end of her message, by which the model knows the chapter. */
  readonly says: string;
  readonly choice: Alice["choice"];
  /** What the model calls next; `told`: the results since she said so. Null: the chapter is over, with `ends`. */
  readonly calls: (told: string) => Turn | null;
  readonly ends: string;
  /** What happens on the forge before she says so. */
  readonly before?: (stage: Stage) => void;
}

const WRITTEN = "Done, as a person approved it";

export const chapters: readonly Chapter[] = [
  {
    says: "uploads are lost: fix the retries",
    choice: "Open a draft pull request",
    ends: "The draft is open.",
    calls: (told) => {
      if (told.includes(WRITTEN)) return null;
      if (!told.includes("The draft is open")) return call("draft", {});
      if (!told.includes("rehearsed")) {
        const command = "echo 'export const ATTEMPTS = 3;' > retry.js\necho rehearsed";
        return call("bash", { where: "draft", command });
      }
      return call("propose", {
        title: "Send at all",
        summary: "The number of attempts was 0.",
        test_command: "grep -q 'ATTEMPTS = 3' retry.js",
      });
    },
  },
  {
    says: "merge the pull request",
    choice: "Approve",
    ends: "It is merged.",
    before: ({ forge, bare }) => {
      const commit = run(bare, "rev-parse", headOf(forge));
      forge.setCheck(PROJECT, { name: "test", commit, state: "success" });
      forge.review(PROJECT, 1, "bob", "approved");
    },
    calls: (told) => (told.includes(WRITTEN) ? null : call("merge_pull_request", {})),
  },
];

export const run = (bare: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: bare, encoding: "utf8" }).trim();

/** The only branch of the story. */
export const headOf = (forge: Side): string => {
  const heads = forge.posts(PROJECT).flatMap(({ pull }) => (pull === null ? [] : [pull.head]));
  const [head] = heads;
  if (head === undefined || heads.length > 1) throw new Error(`${heads.length} pull requests`);
  return head;
};

export const storyAnswer = ({ messages }: Pick<MessageCreateParams, "messages">): Turn => {
  const { task, told } = lastTurn(messages, (text) => chapters.find(({ says }) => text.endsWith(says)));
  if (task === undefined) return say("Hello.");
  return task.calls(told) ?? say(task.ends);
};

/** Lives through a chapter to its end; answers the thread. */
export const liveChapter = async (
  chapter: Chapter,
  { slack, ...at }: Omit<Stage, "root"> & { readonly root: string | null },
): Promise<string> => {
  const { says, choice, before } = chapter;
  const alice = slack.as("alice");
  if (at.root === null) {
    const { ts: root } = alice.say(`@parley ${says}`, { channel: "general" });
    await attend(slack, root, root, { choice, channel: CHANNEL, task: says });
    return root;
  }
  const { root } = at;
  before?.({ ...at, slack, root });
  const { ts } = alice.say(says, { channel: "general", thread: root });
  await attend(slack, root, ts, { choice, channel: CHANNEL, task: says });
  return root;
};
