/** A person in a Slack thread who reads it, says the next thing when a turn is over, and clicks what there is to click. */

import { setTimeout } from "node:timers/promises";
import type { FakeSlack } from "../../fakes/slack/fake.ts";
import { controlsOf } from "../../fakes/slack/controls.ts";
import { labelOf } from "../../fakes/slack/render.ts";
import type { Message } from "../../fakes/slack/world.ts";
import type { Task } from "../answers.ts";

export const CHANNEL = "CGENERAL";
/** How often people look. */
const LOOK = 25;
/** How often they read although nothing seems to have happened: a multiple of it. */
const READ = 200;
/** Milliseconds, by her looks: a machine may be slow, and each process dies under her hands. */
const PATIENCE = 240_000;

export interface Alice {
  readonly choice: "Approve" | "Deny" | "Apply" | "Open a draft pull request";
  readonly tasks: readonly (Task | `change ${number}`)[];
  /** What happens in her thread before she first chooses. */
  readonly before?: (root: string) => void;
}

/** Her thread, from the mention that begins it to the end of the last turn; answers its root. */
export const live = async (slack: FakeSlack, { tasks, ...ways }: Alice): Promise<string> => {
  const alice = slack.as("alice");
  const [first = "hello", ...rest] = tasks;
  const { ts: root } = alice.say(`@parley ${first}`, { channel: "general" });
  await attend(slack, root, root, { ...ways, task: first });
  for (const task of rest) {
    const { ts } = alice.say(task, { channel: "general", thread: root });
    await attend(slack, root, ts, { ...ways, task });
  }
  return root;
};

const attend = async (
  slack: FakeSlack,
  root: string,
  since: string,
  { choice, task, before }: Omit<Alice, "tasks"> & { readonly task: string },
): Promise<void> => {
  let isFirst = true;
  const clicked = new Set<string>();
  const wanted = new Set([choice, "Try again", ...(task === "hang" ? ["Stop"] : [])]);
  let seen = "";
  for (let patience = PATIENCE; patience > 0; patience -= LOOK) {
    const socket = slack.sockets.open.at(-1)?.id;
    const now = `${socket} ${slack.calls.length}`;
    // Reading takes more than looking up: where nothing seems to have happened she reads now and then.
    if (now === seen && patience % READ !== 0) {
      await setTimeout(LOOK);
      continue;
    }
    seen = now;
    const messages = slack.world.thread(CHANNEL, root).filter(({ ts }) => ts > since);
    if (isOver(slack, root, messages)) return;
    for (const message of messages) {
      const label = labelsOf(message).find((one) => wanted.has(one));
      if (label === undefined || socket === undefined) continue;
      // Once for each process that could hear it: where one died over it, or asks her to, she clicks again.
      const asked = slack.threadAsText(CHANNEL, root).split("Please try again in a moment").length;
      const click = `${socket} ${message.ts} ${asked}`;
      if (clicked.has(click)) continue;
      clicked.add(click);
      if (label === choice && isFirst) {
        isFirst = false;
        before?.(root);
      }
      slack.as("alice").click({ channel: CHANNEL, ts: message.ts }, label);
    }
    await setTimeout(LOOK);
  }
  throw new Error(`she lost patience over ${task}:\n${slack.threadAsText(CHANNEL, root)}`);
};

const labelsOf = ({ blocks = [] }: Message): readonly string[] =>
  controlsOf(blocks).flatMap(({ element }) => labelOf(element) ?? []);

/** The message of a turn or a question that was stopped stands last, and nothing shows work in progress. */
const isOver = (slack: FakeSlack, root: string, messages: readonly Message[]): boolean => {
  const last = messages.at(-1);
  if (last === undefined || last.botId === undefined) return false;
  if (messages.some((message) => labelsOf(message).includes("Stop"))) return false;
  if (labelsOf(last).includes("Try again")) return false;
  const text = threadOf(slack, root).split("--- from: ").at(-1) ?? "";
  // Another try goes on without a message that shows it.
  if (text.includes("I was restarted")) return false;
  return /\n(?:Unr|R)estricted[^·\n]* · | stopped this\./.test(text);
};

/** Without what only she could see: private answers do not survive a reload. */
export const threadOf = (slack: FakeSlack, root: string): string =>
  slack
    .threadAsText(CHANNEL, root)
    .replaceAll(/--- from: [^\n]*, only to @alice\n(?:(?!--- from: )[^\n]*\n)*/g, "");
