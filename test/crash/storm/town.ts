/**
 * Two to five people in each of some threads on Slack and Discord, who say numbered messages whatever goes on and press what
 * there is to press, and what became of each: answered, refused with a word to whoever said it, or nothing.
 */

import { createFakeAnthropic } from "../../fakes/anthropic/fake.ts";
import { call, say } from "../../fakes/anthropic/turn.ts";
import { createFakeDiscord } from "../../fakes/discord/fake.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { createClicks, type Press } from "./clicks.ts";
import { numberIn } from "./record.ts";

const NAMES = ["alice", "bob", "carol", "dave", "eve"] as const;
/** Sees everything, and may decide nothing. */
export const STRANGER = "mallory";
const TRY_AGAIN = "Try again";
const APPROVE = "Approve";
const SEND = "Stop and send this";
/** Every so many refused messages are sent after all, and every so many messages need a person's leave. */
const SENT = 5;
const ASKS = 4;
/** Milliseconds after which somebody presses again. */
const PATIENCE = 10_000;
/** Every so many answers are too long for a thread: the rest of them is a file. */
const LONG = 9;
/** More than three messages on either platform. */
const PAGES = "And so it goes on, word for word, to the end of the page. ".repeat(500);
/** What says of a message that it is not taken; other notes answer clicks and commands. */
const REFUSAL =
  /is busy|in progress|could not be stored|could not (?:be )?read|did not (?:start|read)|Only the first/i;
/** What the channel is told of a thread that takes nothing. */
const LOCKED = "the thread is locked";

interface Thread {
  readonly surface: "slack" | "discord";
  readonly channel: string;
  readonly root: string;
  readonly people: readonly string[];
}

interface Message {
  readonly thread: Thread;
  readonly person: string;
  /** As its platform calls it. */
  readonly id: string;
  /** Refusals that the person had been told there before. */
  before: number;
}

interface Shown {
  readonly id: string;
  readonly json: string;
}

interface Lost {
  readonly no: number;
  readonly where: string;
}

export interface Verdict {
  readonly said: number;
  readonly answered: number;
  readonly refused: number;
  /** Neither answered nor refused with a word to whoever said it. */
  readonly lost: readonly Lost[];
  readonly doubled: readonly number[];
}

export const createTown = async (most: number) => {
  const channels = [{ name: "storm" }];
  const slack = await createFakeSlack({
    rates: "off",
    channels,
    users: [...NAMES.map((name) => ({ name, role: "owner" as const })), { name: STRANGER }],
  });
  const members = [...NAMES.map((name) => ({ name, roles: ["maintainer"] })), { name: STRANGER }];
  const discord = await createFakeDiscord({ rates: "off", guilds: [{ name: "Storm", channels, members }] });
  const model = await createFakeAnthropic();
  model.scriptAlways(({ messages }) => {
    const no = numberIn(JSON.stringify(messages));
    const isTold = JSON.stringify(messages.at(-1)).includes('"tool_result"');
    if (no % ASKS === 1 && !isTold) return call("request_mode_upgrade", { reason: `For message ${no}.` });
    const more = no % LONG === LONG - 1 ? PAGES : "";
    return say(`This answers message ${no}. It is all there is to say of it.\n${more}`, 20);
  });
  const places = {
    slack: slack.world.channelNamed("storm").id,
    discord: discord.world.channelNamed("storm").id,
  };
  const messages: Message[] = [];
  const threads: Thread[] = [];
  /** Notes to people that were seen, by thread and person. */
  const told = new Map<string, Set<string>>();
  /** Lines of refusals by the person that they are for: a newer note on Discord repeats them for half a minute. */
  const lines = new Map<string, Set<string>>();
  const retried = new Set<string>();
  const seen = new Set<string>();
  /** Cards that stand although somebody pressed, with since when. */
  const pressed = new Map<string, number>();
  const clicks = createClicks(STRANGER);
  /** Nobody can write in the channel on Slack. */
  let isShut = false;

  const toldTo = ({ root }: Thread, person: string): Set<string> => {
    const key = `${root} ${person}`;
    const all = told.get(key) ?? new Set<string>();
    told.set(key, all);
    return all;
  };

  /** Discord's notes go when newer ones come: looked at often. */
  const look = (): void => {
    for (const thread of threads) {
      for (const person of thread.people) {
        for (const id of notesTo(thread, person)) toldTo(thread, person).add(id);
      }
    }
  };

  /** On Discord a thread may be locked or may never have begun: then the person is told in the channel. */
  const notesTo = ({ surface, channel, root }: Thread, person: string): readonly string[] => {
    if (surface === "slack") {
      const { id } = slack.as(person);
      return slack.world.ephemerals.flatMap((one) =>
        one.for === id && one.threadTs === root && REFUSAL.test(one.text) ? [one.ts] : [],
      );
    }
    const { id } = discord.as(person);
    const isBegun = discord.world.channels.has(root);
    const above = notesOn(channel, id).filter(({ content }) => !isBegun || content.includes(LOCKED));
    return [...(isBegun ? notesOn(root, id) : []), ...above].flatMap((one) =>
      saysAnew(`${root} ${person}`, one.content) ? [`${one.id} ${one.editedAt}`] : [],
    );
  };

  /** Its last line is the newest. A line above it may be one that a note before it said. */
  const saysAnew = (key: string, content: string): boolean => {
    const known = lines.get(key) ?? new Set<string>();
    lines.set(key, known);
    const found = content.replace(/^<@\d+> /, "").split("\n");
    const refusals = found.filter((line) => REFUSAL.test(line));
    const isNew = REFUSAL.test(found.at(-1) ?? "") || refusals.some((line) => !known.has(line));
    for (const line of refusals) known.add(line);
    return isNew;
  };

  /** To somebody who has just pressed something Discord shows them privately. */
  const notesOn = (root: string, id: string) =>
    postsOf(root).filter(({ onlyFor, content }) => onlyFor === id || content.startsWith(`<@${id}>`));

  const postsOf = (root: string) => (discord.world.channels.has(root) ? discord.world.messages(root) : []);

  const begin = (no: number): void => {
    const surface = no % 2 === 0 ? "slack" : "discord";
    if (surface === "slack" && isShut) return;
    const people = NAMES.slice(0, 2 + (no % (most - 1)));
    const text = `@parley tell me [message ${messages.length}]`;
    const root =
      surface === "slack"
        ? slack.as("alice").say(text, { channel: "storm" }).ts
        : discord.as("alice").say("storm", text).id;
    const thread = { surface, channel: places[surface], root, people } as const;
    threads.push(thread);
    messages.push({ thread, person: "alice", id: root, before: 0 });
  };

  const speak = ({ surface, root }: Thread, person: string, text: string): string =>
    surface === "slack"
      ? slack.as(person).say(`@parley ${text}`, { channel: "storm", thread: root }).ts
      : discord.as(person).say(root, `@parley ${text}`).id;

  const isOpened = ({ surface, root }: Thread): boolean =>
    surface === "slack" ? !isShut : discord.world.channels.has(root);

  const answersIn = ({ surface, channel, root }: Thread): readonly number[] => {
    const text =
      surface === "slack"
        ? JSON.stringify(slack.world.thread(channel, root).map(({ blocks }) => blocks ?? []))
        : JSON.stringify(postsOf(root));
    return [...text.matchAll(/This answers message (\d+)\./g)].map(([, no]) => Number(no));
  };

  const shownIn = ({ surface, channel, root }: Thread): readonly Shown[] =>
    surface === "slack"
      ? slack.world.thread(channel, root).map((one) => ({ id: one.ts, json: JSON.stringify(one) }))
      : postsOf(root).map((one) => ({ id: one.id, json: JSON.stringify(one) }));

  const pressOn =
    ({ surface, channel, root }: Thread, id: string): Press =>
    async (who, label) =>
      surface === "slack"
        ? (await slack.as(who).click({ channel, ts: id }, label).ended).kind === "acknowledged"
        : (await discord.as(who).click({ channel: root, id }, label).ended).kind !== "failed";

  /** A click may have met an outage: whoever pressed is told so, and presses again after a while. */
  const pressAgain = (): void => {
    for (const card of cards()) {
      const since = pressed.get(card);
      if (since === undefined || performance.now() - since > PATIENCE) pressed.set(card, performance.now());
      if (since !== undefined && performance.now() - since > PATIENCE) clicks.forget(card);
    }
  };

  /** Ids of messages that ask for a decision. */
  const cards = (): readonly string[] =>
    threads.flatMap(shownIn).flatMap(({ id, json }) => (json.includes(`"${APPROVE}"`) ? [id] : []));

  /** A turn that an end of the host interrupted, or the model failed, says so: somebody presses the button. */
  const tryAgain = (): void => {
    pressAgain();
    for (const thread of threads) {
      for (const { id, json } of shownIn(thread)) {
        if (retried.has(id) || !json.includes(`"${TRY_AGAIN}"`)) continue;
        retried.add(id);
        void clicks.click(id, "alice", TRY_AGAIN, pressOn(thread, id));
      }
    }
  };

  /** Questions are answered as they come, and some of what was refused is sent after all. */
  const press = (): void => {
    for (const thread of threads) {
      for (const { id, json } of shownIn(thread)) {
        if (json.includes(`"${APPROVE}"`)) clicks.decide(id, thread.people, pressOn(thread, id));
      }
      for (const person of thread.people) send(thread, person);
    }
  };

  const send = (thread: Thread, person: string): void => {
    const note = offersTo(thread, person).at(-1);
    if (note === undefined || seen.has(note.id)) return;
    seen.add(note.id);
    const message = messages.find(({ id }) => note.json.includes(`/${id}"`));
    if (seen.size % SENT !== 0 || message === undefined) return;
    void sendOn(message, note.id);
  };

  const sendOn = async (message: Message, note: string): Promise<void> => {
    const { thread, person } = message;
    message.before = toldTo(thread, person).size;
    const isTaken = await clicks.click(note, person, SEND, pressOn(thread, note));
    if (!isTaken) message.before = 0;
  };

  const offersTo = ({ surface, root }: Thread, person: string): readonly Shown[] => {
    const all =
      surface === "slack"
        ? slack.world.ephemerals
            .filter((one) => one.for === slack.as(person).id && one.threadTs === root)
            .map((one) => ({ id: one.ts, json: JSON.stringify(one) }))
        : notesOn(root, discord.as(person).id).map((one) => ({ id: one.id, json: JSON.stringify(one) }));
    return all.filter(({ json }) => json.includes(`"${SEND}"`));
  };

  /** Discord tells that something about the channel changed. */
  const changePermissions = (): void => discord.admin.overwrite("storm", "@everyone", {});

  const verdict = (): Verdict => {
    look();
    const counts = new Map<number, number>();
    for (const thread of threads) {
      for (const no of answersIn(thread)) counts.set(no, (counts.get(no) ?? 0) + 1);
    }
    let refused = 0;
    const lost: Lost[] = [];
    for (const [no, { thread, person, before }] of messages.entries()) {
      if (counts.has(no)) continue;
      if (toldTo(thread, person).size > before) refused += 1;
      else
        lost.push({ no, where: `message ${no} of ${person} in the ${thread.surface} thread ${thread.root}` });
    }
    return {
      said: messages.length,
      answered: counts.size,
      refused,
      lost,
      doubled: [...counts].flatMap(([no, times]) => (times > 1 ? [no] : [])),
    };
  };

  return {
    slack,
    discord,
    model,
    places,
    begin,
    look: () => {
      look();
      press();
    },
    tryAgain,
    clicks: clicks.count,
    verdict,
    /** Of a person in a thread, both by number. */
    say: (at: number, who: number): void => {
      const thread = threads[at % Math.max(1, threads.length)];
      const person = thread?.people[who % thread.people.length];
      if (thread === undefined || person === undefined) return;
      if (!isOpened(thread)) return;
      look();
      const before = toldTo(thread, person).size;
      const id = speak(thread, person, `and now? [message ${messages.length}]`);
      messages.push({ thread, person, id, before });
    },
    /** Somebody stops what each thread does. */
    stopAll: (): void => {
      for (const thread of threads.filter(isOpened)) speak(thread, "bob", "stop");
    },
    /** The channel is archived, and threads are archived and locked; or all of that is over. */
    shut: (now: boolean): void => {
      isShut = now;
      if (now) slack.admin.archive("storm");
      else slack.admin.unarchive("storm");
      for (const { root } of threads) {
        if (discord.world.channels.get(root)?.kind !== "thread") continue;
        if (!now) discord.as("alice").unlock(root);
        else {
          discord.as("alice").lock(root);
          discord.as("alice").archive(root);
        }
      }
      if (!now) changePermissions();
    },
    changePermissions,
    /** Ids of messages that still grow in the platform's own way. */
    openStreams: (): readonly string[] =>
      slack.world.messages(places.slack).flatMap(({ ts, stream }) => (stream === "in_progress" ? [ts] : [])),
    cards,
    /** What was approved lasts until somebody takes it away. */
    restrictAll: (): void => {
      for (const thread of threads.filter(isOpened)) speak(thread, "alice", "restrict");
    },
    /** As the host calls the person. */
    idsOf: (name: string): readonly string[] => [
      `slack:${slack.as(name).id}`,
      `discord:${discord.as(name).id}`,
    ],
    threadOf: (line: string): string => {
      const root = /thread (\S+)$/.exec(line)?.[1] ?? "";
      return discord.world.channels.has(root) ? discord.asText(root) : slack.threadAsText(places.slack, root);
    },
    violations: (): readonly string[] => [
      ...slack.violations,
      ...discord.violations,
      ...model.violations.map(({ message }) => message),
    ],
    close: () => Promise.all([slack.close(), discord.close(), model.close()]),
  };
};

export type Town = Awaited<ReturnType<typeof createTown>>;
