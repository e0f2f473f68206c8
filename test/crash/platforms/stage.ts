/**
 * One thread on a wire-level platform, with the real store, inbox, runtime, deliverer and surface, that a test plays
 * step by step: say, let things come to rest, click, do something to the platform, restart, restore.
 */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createFakeDiscord, type FakeDiscord } from "../../fakes/discord/fake.ts";
import { createFakeSlack, type FakeSlack, type FakeSlackOptions } from "../../fakes/slack/fake.ts";
import { replayDirectory } from "../../replay.ts";
import { createStepClock, type StepClock } from "../clock.ts";
import { quiet, requestOf } from "../day.ts";
import { wornDisk } from "./disk.ts";
import { connectToDiscord, discordPlace } from "./discord.ts";
import type { Click, Place } from "../platform.ts";
import { everyday, type Outside } from "../script.ts";
import { connectToSlack, slackPlace } from "./slack.ts";
import { createProcess, type Process, type ProcessDeps } from "../world.ts";
import { MOST_WAIT } from "../../patience.ts";

export interface Stage {
  readonly clock: StepClock;
  readonly outside: Outside;
  process(): Process;
  /** In the thread, or to begin one; answers the thread's root. The platform tells, and everything comes to rest. */
  say(text: string, root?: string): Promise<string>;
  /** Says it and lets nobody know. */
  whisper(text: string, root: string): void;
  rest(): Promise<void>;
  /** Clicks what stands below the last message. */
  click(root: string, action: Click["action"]): Promise<string>;
  conversation(root: string): ConversationId;
  /** As people see the thread. */
  text(root: string): string;
  phase(root: string): string;
  story(root: string): string;
  restart(): Promise<void>;
  /** The database as it is now, to be restored later. */
  backup(): void;
  /** Puts the backup in the place of the database and starts on it. */
  restore(): Promise<void>;
}

export const createStage = async (
  options: FakeSlackOptions = {},
  limits?: ProcessDeps["limits"],
): Promise<Stage & { readonly fake: FakeSlack }> => {
  const clock = createStepClock();
  const fake = await createFakeSlack({ rates: "off", events: [], clock, ...options });
  const town: ProcessDeps["town"] = { surface: "slack", connect: (given) => connectToSlack(fake, given) };
  const stage = await play({ town, place: slackPlace(fake, "general"), clock, limits, close: fake.close });
  return { ...stage, fake };
};

/** Its fake has the machine's clock: what a message's id says of time stays true when the host's clock jumps. */
export const createDiscordStage = async (): Promise<Stage & { readonly fake: FakeDiscord }> => {
  const fake = await createFakeDiscord({ rates: "off" });
  const general = fake.world.channelNamed("general");
  if (general.kind === "thread") throw new Error("#general is a channel");
  const town: ProcessDeps["town"] = { surface: "discord", connect: (given) => connectToDiscord(fake, given) };
  const place = discordPlace(fake, general);
  const stage = await play({ town, place, clock: createStepClock(), limits: undefined, close: fake.close });
  return { ...stage, fake };
};

interface Venue extends Pick<ProcessDeps, "town" | "clock" | "limits"> {
  readonly place: Place;
  close(): Promise<void>;
}

const play = async ({ town, place, clock, limits, close }: Venue): Promise<Stage> => {
  const directory = mkdtempSync(join(tmpdir(), "parley-stage-"));
  const kept = `${directory}-kept`;
  const outside: Outside = { triedAgain: false };
  let process: Process;

  const begin = async (): Promise<void> => {
    process = createProcess({
      directory,
      town,
      clock,
      outside,
      play: everyday(),
      isEnd: () => false,
      done: new Map(),
      disk: wornDisk(null),
      timeout: MOST_WAIT,
      limits,
    });
    await process.start();
    await quiet(process, clock);
  };
  await begin();
  onTestFinished(async () => {
    await process.drop();
    replayDirectory(directory);
    for (const one of [directory, kept]) rmSync(one, { recursive: true, force: true });
    await close();
  });

  const rest = (): Promise<void> => quiet(process, clock);

  const conversation = (root: string): ConversationId => {
    const id = process.ledger.find(town.surface, place.id, root)?.conversation;
    if (id === undefined) throw new Error("the thread has no conversation");
    return id;
  };

  return {
    clock,
    outside,
    process: () => process,
    say: async (text, before) => {
      const root = place.say(text, before ?? null);
      for (const event of place.events(root)) void process.hear(event);
      await rest();
      return root;
    },
    whisper: (text, root) => void place.say(text, root),
    rest,
    click: async (root, action) => {
      const click = place.button(root, action);
      if (click === null) throw new Error(`there is no ${action} in\n${place.thread(root)}`);
      click.press();
      const by = { id: place.alice, mayDrive: true, mayApprove: true } as const;
      const acted = await process.bot.act(conversation(root), requestOf(click, by));
      await rest();
      return acted.kind === "refused" ? acted.why : acted.kind;
    },
    conversation,
    text: place.thread,
    phase: (root) => process.store.load(conversation(root))?.state.phase.kind ?? "unknown",
    story: place.story,
    restart: async () => {
      await process.drop();
      await begin();
    },
    backup: () => cpSync(directory, kept, { recursive: true }),
    restore: async () => {
      await process.drop();
      rmSync(directory, { recursive: true, force: true });
      cpSync(kept, directory, { recursive: true });
      await begin();
    },
  };
};
