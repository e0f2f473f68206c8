/** A person in a Slack thread who reads it, says the next thing when a turn is over, and clicks what there is to click. */

import { setTimeout } from "node:timers/promises";
import type { FakeSlack } from "../../fakes/slack/fake.ts";
import { controlsOf } from "../../fakes/slack/controls.ts";
import { labelOf } from "../../fakes/slack/render.ts";
import type { Message } from "../../fakes/slack/world.ts";
import type { Task } from "../answers.ts";
import { MOST_WAIT } from "../../patience.ts";

export const CHANNEL = "CGENERAL";
/** How often people look. */
const LOOK = 25;
/** How often they read although nothing seems to have happened: a multiple of it. */
const READ = 200;

export interface Alice {
  readonly choice:
    | "Approve"
    | "Deny"
    | "Apply"
    | "Open a draft pull request"
    | "Look after this pull request";
  readonly tasks: readonly (Task | `change ${number}`)[];
  /** Unset: general. */
  readonly channel?: string;
  /** What happens in her thread before she first chooses. */
  readonly before?: (root: string) => void;
}

/** Her thread, from the mention that begins it to the end of the last turn; answers its root. */
export const live = async (
  slack: FakeSlack,
  { tasks, channel = "general", ...ways }: Alice,
): Promise<string> => {
  const alice = slack.as("alice");
  const [first = "hello", ...rest] = tasks;
  const { ts: root } = alice.say(`@parley ${first}`, { channel });
  const { id } = slack.world.channelNamed(channel);
  await attend(slack, root, root, { ...ways, channel: id, task: first });
  for (const task of rest) {
    const { ts } = alice.say(task, { channel, thread: root });
    await attend(slack, root, ts, { ...ways, channel: id, task });
  }
  return root;
};

export interface Attended extends Omit<Alice, "tasks"> {
  readonly channel: string;
  readonly task: string;
  /** Who asked, and asks again. Unset: she. */
  readonly asker?: "alice" | "bob";
  /** What the host says beside its turns. */
  readonly aside?: RegExp;
  /** Turns begin by themselves, until this is true: she clicks older buttons too, and asks for no turn again. */
  readonly until?: () => boolean;
  /** Starts the work again; called each time the host says that its own turns broke off. */
  readonly revive?: () => void;
}

/** The host begins a turn by itself, or says that it begins no more turns for this cause. */
const OWN_TURN = /^(?:Checks of |People commented on )/;
const BROKEN_OFF = /^My work on .* broke off twice/;

/** She reads what has come since a message of hers and clicks, until the turn is over. */
export const attend = async (
  slack: FakeSlack,
  root: string,
  since: string,
  { choice, task, channel, before, asker = "alice", aside, until, revive }: Attended,
): Promise<void> => {
  let isFirst = true;
  const clicked = new Set<string>();
  const again = until === undefined ? ["Try again"] : [];
  // The second run of a command asks before it overwrites files of the first run.
  const decisions = choice === "Approve" ? [choice, "Once"] : [choice];
  const wanted = new Set([...decisions, ...again, ...(task === "hang" ? ["Stop"] : [])]);
  let seen = "";
  let revived = 0;
  for (let patience = MOST_WAIT; patience > 0; patience -= LOOK) {
    const { open, changes } = slack.sockets;
    const lost = changes.filter(({ kind }) => kind === "closed").length;
    const now = `${open.length} ${lost} ${slack.calls.length}`;
    // Reading takes more than looking up: where nothing seems to have happened she reads now and then.
    if (now === seen && patience % READ !== 0) {
      await setTimeout(LOOK);
      continue;
    }
    seen = now;
    const all = slack.world.thread(channel, root);
    const messages = all.filter(({ ts }) => ts > since);
    const isDone = until?.() !== false;
    const broken = messages.filter(({ text }) => BROKEN_OFF.test(text)).length;
    if (!isDone && broken > revived) revive?.();
    revived = broken;
    // After two broken turns the host starts no further try.
    const own = messages.findLast(({ text }) => OWN_TURN.test(text) || BROKEN_OFF.test(text));
    const isGivenUp = until !== undefined && own !== undefined && BROKEN_OFF.test(own.text);
    const read = (): string => withoutAside(threadOf(slack, root, channel), aside);
    if (isDone && isOver(read(), messages, isGivenUp, aside)) return;
    for (const message of until === undefined ? messages : all) {
      const label = labelsOf(message).find((one) => wanted.has(one));
      if (label === undefined || open.length === 0) continue;
      // Where a process that could hear it died over it, or asks her to, she clicks again.
      const asked = slack.threadAsText(channel, root).split("Please try again in a moment").length;
      const click = `${lost} ${message.ts} ${asked}`;
      if (clicked.has(click)) continue;
      clicked.add(click);
      if (label === choice && isFirst) {
        isFirst = false;
        before?.(root);
      }
      slack.as(decisions.includes(label) ? "alice" : asker).click({ channel, ts: message.ts }, label);
    }
    await setTimeout(LOOK);
  }
  throw new Error(`she lost patience over ${task}:\n${slack.threadAsText(channel, root)}`);
};

const labelsOf = ({ blocks = [] }: Message): readonly string[] =>
  controlsOf(blocks).flatMap(({ element }) => labelOf(element) ?? []);

/** The message of a turn or a question that was stopped stands last, and nothing shows work in progress. */
const isOver = (
  thread: string,
  messages: readonly Message[],
  isGivenUp: boolean,
  aside?: RegExp,
): boolean => {
  const last = messages.findLast(({ text }) => aside?.test(text) !== true);
  if (last === undefined || last.botId === undefined) return false;
  if (messages.some((message) => labelsOf(message).includes("Stop"))) return false;
  if (isGivenUp) return true;
  if (labelsOf(last).includes("Try again")) return false;
  const text = thread.split("--- from: ").at(-1) ?? "";
  // Another try goes on without a message that shows it.
  if (text.includes("I was restarted")) return false;
  return /\n(?:Unr|R)estricted[^·\n]* · | stopped (?:this\.|the turn\)\.)/.test(text);
};

const withoutAside = (thread: string, aside: RegExp | undefined): string =>
  thread
    .split(/^(?=--- from: )/m)
    .filter((post) => aside?.test(post) !== true)
    .join("");

/** Without what only she could see: private answers do not survive a reload. */
export const threadOf = (slack: FakeSlack, root: string, channel: string = CHANNEL): string =>
  slack
    .threadAsText(channel, root)
    .replaceAll(/--- from: [^\n]*, only to @(?:alice|bob)\n(?:(?!--- from: )[^\n]*\n)*/g, "");
