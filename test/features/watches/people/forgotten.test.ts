/** Words of a post are erased with the post, and with its author; text of other people stays. */

import { expect, it } from "vitest";
import * as z from "zod";
import { createRig, type SlackRig } from "../../../adapters/slack/rig.ts";
import { crashes, deciding } from "./first-model.ts";

const watching = async (): Promise<SlackRig> => {
  const rig = await createRig({ answer: deciding(crashes) });
  await order(rig, "watch people: Find bugs");
  return rig;
};

const order = async (rig: SlackRig, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
};

const names = z.array(z.object({ name: z.string() }));

const tablesWith = ({ opened: { rows } }: SlackRig, text: string): readonly string[] =>
  names
    .parse(
      rows.select(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')",
      )({}),
    )
    .map(({ name }) => name)
    .filter((name) =>
      rows
        .select(`SELECT * FROM "${name}"`)({})
        .some((row) => JSON.stringify(row).includes(text)),
    );

it("an erased author's post leaves no word and no author in the thread of its look, however short", async () => {
  const rig = await watching();
  const root = rig.fake.as("bob").say("zebracat crash", { channel: "general" });
  await rig.thread(root, /Answer \d\./);
  await heard(rig);
  expect(tablesWith(rig, "zebracat")).toContain("watch_threads");
  const done = await rig.bot.forgetPerson({ by: "slack:UALICE", person: "slack:UBOB", names: [] });
  expect(done).toMatchObject({ kind: "done", conversations: 1 });
  expect(tablesWith(rig, "zebracat")).toEqual([]);
  const [event] = rig.opened.rows.select("SELECT event FROM watch_threads")({});
  expect(JSON.stringify(event)).not.toContain("UBOB");
});

it("a deleted post takes its look along after the watch was removed", async () => {
  const rig = await watching();
  const bob = rig.fake.as("bob");
  const root = bob.say("zebracat crash", { channel: "general" });
  const text = await rig.thread(root, /Answer \d\./);
  const [watch = ""] = /people-\w{4}/.exec(text) ?? [];
  await order(rig, `unwatch ${watch}`);
  bob.remove(root);
  await expect.poll(() => tablesWith(rig, "zebracat")).toEqual([]);
});

it("a deleted post leaves a conversation that another person began below the post", async () => {
  const rig = await watching();
  const alice = rig.fake.as("alice");
  const root = alice.say("lunch?", { channel: "general" });
  await heard(rig);
  rig.fake.as("bob").say("@parley tell me about zebradog", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer \d\./);
  // The look decided while bob wrote.
  await rig.opened.rows.write([{ sql: "UPDATE first_looks SET decision = 'look'", values: {} }]);
  alice.remove(root);
  await heard(rig);
  expect(tablesWith(rig, "zebradog")).not.toEqual([]);
});
