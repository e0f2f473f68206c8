/** `connect` and `disconnect` on Slack: only the person reads the code, and two people have two accounts. */

import { expect, it, vi } from "vitest";
import { createRig, type SlackRig } from "../../../adapters/slack/rig.ts";
import { chatForge, codeIn } from "./chat.ts";
import { HUBOT, OCTOCAT } from "./world.ts";

const heard = async ({ fake }: SlackRig, name: string, text: RegExp): Promise<string> =>
  vi.waitFor(
    () => {
      const found = fake.world.ephemerals.findLast(
        (one) => one.for === fake.as(name).id && text.test(one.text ?? ""),
      );
      if (found === undefined)
        throw new Error(`${text} is not in ${JSON.stringify(fake.world.ephemerals.map((one) => one.text))}`);
      return found.text ?? "";
    },
    { timeout: 20_000, interval: 30 },
  );

it("connects two people, each alone with the code, and disconnects one", async () => {
  const { fake: forge, ready } = await chatForge();
  const rig = await createRig({ ready });
  const { fake } = rig;
  for (const [name, account] of [
    ["bob", OCTOCAT],
    ["alice", HUBOT],
  ] as const) {
    fake.as(name).command("/parley", "connect github", "general");
    const shown = await heard(rig, name, /enter the code/);
    expect(shown).toContain(`${forge.url}/login/device`);
    forge.signIn.answer(codeIn(shown), account);
    await heard(rig, name, new RegExp(`You are connected to .* as ${account.login}\\.`));
  }
  fake.as("bob").command("/parley", "connect", "general");
  await heard(rig, "bob", /You are connected: 127\.0\.0\.1:\d+ \(octocat\)\./);
  fake.as("bob").command("/parley", "disconnect", "general");
  await heard(rig, "bob", /Disconnected from .*settings\/apps\/authorizations/);
  fake.as("bob").command("/parley", "disconnect", "general");
  await heard(rig, "bob", /You have not connected an account\./);
  const rows = rig.opened.rows.select("SELECT person FROM forge_people")({});
  expect(rows).toEqual([{ person: `slack:${fake.as("alice").id}` }]);

  // Nobody else reads a code, in any message.
  const codes = /\b[0-9A-F]{4}-[0-9A-F]{4}\b/;
  expect(fake.world.ephemerals.filter(({ text }) => codes.test(text ?? ""))).toHaveLength(2);
  expect(rig.logged.join("\n")).not.toMatch(/gh[ur]_/);
  await fake.settled();
  expect(fake.violations).toEqual([]);
}, 60_000);

it("a person who denies is told so; the words of people about connecting are no command", async () => {
  const { fake: forge, ready } = await chatForge();
  const rig = await createRig({ ready });
  const { fake } = rig;
  fake.as("bob").command("/parley", "connect github", "general");
  forge.signIn.answer(codeIn(await heard(rig, "bob", /enter the code/)), "denied");
  await heard(rig, "bob", /was denied\. I keep writing in my own name\./);
  const root = fake.as("bob").say("@parley connect the uploads to the queue", { channel: "general" });
  await rig.thread(root, /Answer 1\./);
}, 60_000);
