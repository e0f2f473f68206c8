/** `/parley knowledge`: who switches what on, and what everybody sees of it. */

import { expect, test, vi } from "vitest";
import { knowledgeCommand } from "../../../src/features/knowledge/command.ts";
import type { KnowledgeBook } from "../../../src/features/knowledge/ports.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { openFeaturesOf } from "../../adapters/open-features.ts";
import { openMemory } from "../../store/in-memory.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { createRig, type SlackRig } from "../../adapters/slack/rig.ts";
import { worldOn } from "./world.ts";

const see = async ({ fake }: SlackRig, who: string, wanted: RegExp): Promise<void> => {
  const told = (): string =>
    fake.world.ephemerals
      .filter((one) => one.for === fake.as(who).id)
      .map(({ text }) => text)
      .join("\n");
  await vi.waitFor(() => expect(told()).toMatch(wanted), OFTEN);
};

const never = () => Promise.reject(new Error("nobody asks it"));

const rigWith = async (knowledge: KnowledgeBook): Promise<SlackRig> => {
  const opened = openMemory();
  const features = await openFeaturesOf({
    ...opened,
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    surfaces: () => [],
    bot: { create: never, say: never, read: never, act: never, forget: never },
  });
  const commands = async () => [knowledgeCommand(() => ({ knowledge }))];
  return createRig({ opened, features: { ...features, commands } });
};

test("those of PARLEY_APPROVERS add and take away, whatever was refused changes nothing, and everybody sees how far it is", async () => {
  const changed = vi.fn<() => void>();
  const refresh = vi.fn<KnowledgeBook["refresh"]>(() => Promise.resolve());
  const knowledge: KnowledgeBook = {
    entry: (typed) =>
      typed === "wiki" ? { kind: "refused", why: "It has none." } : { kind: "entry", entry: typed },
    standings: (entries) =>
      entries.map((entry) => ({ entry, texts: 12, read: null, reading: true, why: "The forge limits it." })),
    changed,
    refresh,
  };
  const rig = await rigWith(knowledge);
  const { fake } = rig;
  const say = (who: string, text: string): void => void fake.as(who).command("/parley", text, "general");
  say("bob", "knowledge add issues");
  await see(rig, "bob", /Only host approvers \(PARLEY_APPROVERS\)/);
  expect(rig.chat.channel("slack", "CGENERAL")).toBeNull();
  say("bob", "knowledge");
  await see(rig, "bob", /has no knowledge sources besides its repository/);

  say("alice", "knowledge add issues wiki");
  await see(rig, "alice", /Nothing was added: It has none\./);
  expect(rig.chat.channel("slack", "CGENERAL")).toBeNull();
  say("alice", "knowledge add issues https://docs.example.com/");
  await see(rig, "alice", /`issues`: 12 texts, being read for the first time\. The forge limits it\./);
  expect(rig.chat.channel("slack", "CGENERAL")?.knowledge).toEqual(["issues", "https://docs.example.com/"]);
  expect(changed).toHaveBeenCalledTimes(1);

  say("alice", "knowledge refresh issues");
  await see(rig, "alice", /`issues` is refreshed/);
  expect(refresh.mock.calls[0]?.[0]).toEqual(["issues"]);
  say("alice", "knowledge remove https://docs.example.com");
  await vi.waitFor(() => expect(rig.chat.channel("slack", "CGENERAL")?.knowledge).toEqual(["issues"]), OFTEN);
  say("alice", "knowledge remove releases");
  await see(rig, "alice", /This channel has no such source/);
});

test("40.B what is switched on is listed at once, before anything is read; what is taken away is not", async () => {
  const { knowledge } = await worldOn(null, []);
  const rig = await rigWith(knowledge);
  const say = (text: string): void => void rig.fake.as("alice").command("/parley", text, "general");
  say("knowledge add threads");
  await see(rig, "alice", /besides its repository:\n• `threads`: 0 texts, not read yet\.$/m);
  say("knowledge add https://docs.example.com/");
  await see(rig, "alice", /`threads`: 0 texts, not read yet\.\n• `https:\S+`: 0 texts, not read yet\.$/m);
  say("knowledge remove threads");
  await see(rig, "alice", /repository:\n• `https:\S+`: 0 texts, not read yet\.$/m);
});
