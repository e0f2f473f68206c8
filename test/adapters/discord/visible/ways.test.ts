/** 39.A1: text that people see of a message on Discord reaches the model in each way in which the message arrives. */

import * as z from "zod";
import { describe, expect, it } from "vitest";
import type { Address } from "../../../fakes/discord/people/human.ts";
import type { Json } from "../../../fakes/discord/world.ts";
import { told } from "../../rig.ts";
import { createMarkers, expectAll, type Markers, markersIn } from "../../markers.ts";
import { createRig, type DiscordRig } from "../rig.ts";
import { make, moved } from "./schema.ts";

/** Committed beginnings of the random messages; each way is tried with each. */
const SEEDS = [3, 11] as const;

/** Whole numbers that the seed alone decides. */
const chooseFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % below;
  };
};

const list = z.array(z.record(z.string(), z.unknown())).default([]);
const parts = z.object({
  content: z.string(),
  embeds: list,
  components: list,
  sticker_items: list,
  poll: z.unknown().optional(),
});

interface Made {
  readonly markers: Markers<never>;
  readonly text: string;
  readonly parts: Json;
  readonly files: readonly { readonly name: string; readonly description: string; readonly bytes: Buffer }[];
  /** All of it, in the order in which it is drawn. */
  readonly all: unknown;
}

/** Everything that a message has. A forwarded message has no poll. */
const everything = (seed: number): Made => {
  const markers = createMarkers<never>();
  const { content, ...given } = parts.parse(make("MessageResponse", markers.mark, chooseFrom(seed)));
  const { poll, ...others } = given;
  const withPoll = poll === undefined ? others : { ...others, poll };
  const file = {
    name: `${markers.mark()}.txt`,
    description: markers.mark(),
    bytes: Buffer.from(markers.mark()),
  };
  const all = [content, withPoll, file.name, file.description, String(file.bytes)];
  return { markers, text: content, parts: withPoll, files: [file], all };
};

const ANSWERED = /tricted[^·\n]* · [[`<]/;

/** `last`: markers of the question, which follows everything that is quoted. */
const arrives = async (
  rig: DiscordRig,
  thread: string,
  { markers, all, files }: Made,
  last: readonly string[] = [],
  spared: readonly string[] = [],
): Promise<void> => {
  await rig.reads(thread, ANSWERED);
  expect(rig.fake.violations).toEqual([]);
  const given = { wanted: () => markers.wanted().filter((word) => !spared.includes(word)) };
  const described = markersIn(JSON.stringify(files.map(({ name, description }) => [name, description])));
  expectAll(given, all, told(rig.asked[0]), [...moved(all), ...described, ...last]);
};

/** An app has no files here; they are read like a person's. */
const post = (rig: DiscordRig, made: Made, app = "alerts"): Address => {
  const { embeds, components, ...rest } = parts.omit({ content: true }).parse(made.parts);
  return rig.fake.app(app).post("general", { text: made.text, embeds, components, parts: rest });
};
const ofFiles = ({ files }: Made): readonly string[] =>
  markersIn(JSON.stringify(files.map(({ name, description, bytes }) => [name, description, String(bytes)])));

const pollOf = ({ parts: given }: Made): readonly string[] =>
  markersIn(JSON.stringify(given["poll"] ?? null));

describe.each(SEEDS)("39.A1 on Discord (message %i), everything that people see", (seed) => {
  it("of a message that asks reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const asked = rig.fake.as("bob").say("general", `@parley ${made.text}`, made);
    const own = markersIn(JSON.stringify([made.text, made.parts["poll"], made.parts["components"]]));
    await arrives(rig, asked.id, made, own);
  });

  it("of a message that is replied to reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const said = rig.fake.as("alice").say("general", made.text, made);
    const asked = rig.fake.as("bob").say("general", "@parley why?", { replyTo: said.id });
    await arrives(rig, asked.id, made);
  });

  it("of an app's post that is replied to reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const asked = rig.fake.as("bob").say("general", "@parley why?", { replyTo: post(rig, made).id });
    await arrives(rig, asked.id, made, [], ofFiles(made));
  });

  it("of a forward right before the question reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const said = rig.fake.as("alice").say("other", made.text, made);
    rig.fake.as("bob").forward(said, "general");
    const asked = rig.fake.as("bob").say("general", "@parley why?");
    await arrives(rig, asked.id, made, [], pollOf(made));
  });

  it("of remarks right after a mention reaches the model with the next question", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const asked = rig.fake.as("bob").say("general", "@parley why is it red?");
    await rig.reads(asked.id, /./);
    rig.fake.as("alice").say(asked.id, made.text, made);
    await rig.reads(asked.id, ANSWERED);
    await rig.reads(asked.id, /Several people write/);
    rig.fake.as("bob").say(asked.id, "@parley and now?");
    await rig.reads(asked.id, /Answer 2/);
    const described = markersIn(JSON.stringify(made.files));
    expectAll(made.markers, made.all, told(rig.asked[1]), [
      ...moved(made.all),
      ...described,
      ...ofFiles(made),
    ]);
  });

  it("of a message above the question in the channel is not read, and reaches the model once it is replied to", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const above = rig.fake.as("bob").say("general", made.text, made);
    const asked = rig.fake.as("bob").say("general", "@parley why?");
    await rig.reads(asked.id, ANSWERED);
    expect(markersIn(told(rig.asked[0]))).toEqual([]);
    const reply = rig.fake.as("bob").say("general", "@parley why?", { replyTo: above.id });
    await rig.reads(reply.id, /Answer 2/);
    const described = markersIn(JSON.stringify(made.files));
    expectAll(made.markers, made.all, told(rig.asked[1]), [...moved(made.all), ...described]);
  });

  it("of a message that was edited reaches the model when its thread is read back", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const said = rig.fake.as("alice").say("general", "old words", { files: made.files });
    const thread = rig.fake.as("alice").openThread("general", "Red", { from: said.id });
    rig.fake.as("alice").edit(said, made.text, made.parts);
    rig.fake.as("bob").say(thread, "@parley why?");
    await arrives(rig, thread, made);
    expect(told(rig.asked[0])).not.toContain("old words");
  });

  it("of an app's post that a thread hangs on reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const said = post(rig, made);
    const thread = rig.fake.as("alice").openThread("general", "Red", { from: said.id });
    rig.fake.as("bob").say(thread, "@parley why?");
    await arrives(rig, thread, made, [], ofFiles(made));
  });

  it("of an app's post that a watch receives reaches the model", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const { id } = rig.fake.app("sentry");
    await rig.run("maria", "general", "parley watch", { what: `app <@${id}>: Find the cause` });
    const root = post(rig, made, "sentry");
    await rig.reads(root.id, /Answer 1\./);
    const given = { wanted: () => made.markers.wanted().filter((word) => !ofFiles(made).includes(word)) };
    expectAll(given, made.all, told(rig.asked[0]), moved(made.all));
  });

  it("of an app's post reaches the model under Ask about this", async () => {
    const rig = await createRig();
    const made = everything(seed);
    const said = post(rig, made);
    await rig.run("bob", "general", "parley help");
    const menu = rig.fake.as("bob");
    const form = menu.messageCommand(said, "Ask about this");
    await menu.submit(form, { words: "what failed?" });
    await arrives(rig, said.id, made, [], ofFiles(made));
  });
});
