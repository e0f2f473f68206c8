/** A full conversation goes on in a new thread, on Slack. Wherever the process ends meanwhile: test/crash. */

import { expect, it } from "vitest";
import { FULL, fills, NEARLY_FULL } from "../filling.ts";
import { createRig, type SlackRig } from "./rig.ts";

const roots = ({ fake }: Pick<SlackRig, "fake">) =>
  fake.world
    .messages("CGENERAL")
    .filter(({ threadTs, botId }) => threadTs === undefined && botId !== undefined);

const ended = async () => {
  const rig = await createRig({ answer: fills(FULL) });
  const root = rig.fake.as("bob").say("@parley why does it fail?", { channel: "general" });
  await rig.thread(root, /\[Continue with this summary\] \[Start empty\]/);
  return { rig, root, press: (who: string, label: string): void => press(rig, root, who, label) };
};

const press = ({ fake }: SlackRig, { channel, ts: root }: Root, who: string, label: string): void => {
  const card = fake.world
    .thread(channel, root)
    .findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(label));
  fake.as(who).click({ channel, ts: card?.ts ?? "" }, label);
};

type Root = Readonly<Record<"channel" | "ts", string>>;

it("row 59: whoever clicks second is told where it goes on, and a thread that cannot be opened can be tried again", async () => {
  const { rig, root, press } = await ended();
  rig.fake.fault(
    { kind: "error", error: "restricted_action" },
    { match: { method: "chat.postMessage", contains: "parley_thread" }, times: 1 },
  );
  press("bob", "Start empty");
  await rig.thread(
    root,
    /The new thread could not be opened[^]*\[Continue with this summary\]|\[Continue with this summary\][^]*could not be opened/,
  );
  press("bob", "Start empty");
  await rig.thread(root, /Continued here: /);
  const child = { channel: "CGENERAL", ts: roots(rig)[0]?.ts ?? "" };
  rig.fake.as("carol").say("@parley continue", { channel: "general", thread: root.ts });
  await expect
    .poll(() => rig.fake.world.ephemerals.map(({ text }) => text).join())
    .toContain("It continues here: http");
  expect(await rig.thread(child, /Continues/)).toMatch(/opened by @bob\. This thread starts Restricted/);
  await rig.fake.settled();
  expect(rig.fake.violations).toEqual([]);
});

it("rows 62 and 63: the button of the warning at 80 % goes on in a new thread, and nothing is lost", async () => {
  const rig = await createRig({ answer: fills(NEARLY_FULL) });
  const root = rig.fake.as("bob").say("@parley why does it fail?", { channel: "general" });
  await rig.thread(root, /82 % full[^]*\[Continue in a new thread\]/);
  press(rig, root, "bob", "Continue in a new thread");
  await rig.thread(
    root,
    /It is the cache\. Next: clear it\.[^]*\[Continue with this summary\] \[Start empty\]/,
  );
  press(rig, root, "bob", "Continue with this summary");
  await rig.thread(root, /It may be the cache\.[^]*Continued here: /);
  expect(roots(rig)).toHaveLength(1);
  await rig.thread({ channel: "CGENERAL", ts: roots(rig)[0]?.ts ?? "" }, /Cleared\.[^]*Restricted ·/);
  await rig.fake.settled();
  expect(rig.fake.violations).toEqual([]);
});
