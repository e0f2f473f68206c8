/** What apps post in Slack: of listed ones it begins threads below the post itself, once, and of no Parley (D45). */

import { describe, expect, it } from "vitest";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { told } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { watchingOf } from "./watching.ts";

/** As Sentry posts an issue: no text, all of it in the blocks of an attachment. */
const sentryPost = (issue: number, title = "TypeError") => ({
  attachments: [
    {
      color: "#E03E2F",
      fallback: `[shop] ${title}`,
      blocks: [
        {
          type: "section",
          text: {
            type: "mrkdwn",
            text: `:red_circle: <https://acme.sentry.io/issues/${issue}/?referrer=slack&n=${Math.random()}|*${title}*>`,
          },
        },
        { type: "section", text: { type: "mrkdwn", text: "```cart.total is not a function```" } },
        { type: "context", elements: [{ type: "mrkdwn", text: "State: *New*   First Seen: *just now*" }] },
        {
          type: "actions",
          elements: [{ type: "button", action_id: "resolve", text: { type: "plain_text", text: "Resolve" } }],
        },
      ],
    },
  ],
});

const order = async (rig: SlackRig, text: string): Promise<string> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("alice").command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
  return rig.fake.world.ephemerals.at(-1)?.text ?? "";
};

const watching = async (options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createRig(options);
  const said = await order(rig, "watch app A0SENTRY: Find the cause");
  expect(said).toMatch(/`app-\w{4}`: posts of the app A0SENTRY; at most 6 threads an hour/);
  return rig;
};

/** Everything that was sent is handled. */
const heard = async ({ fake, chat }: SlackRig): Promise<void> => {
  await fake.settled();
  await expect.poll(() => [...chat.unhandled("slack"), ...chat.unhandled("watch")]).toEqual([]);
};

describe("the post of an app that is listed", () => {
  it("becomes a conversation in its own thread, with what its blocks say", async () => {
    const rig = await watching();
    const root = rig.fake.app("sentry").post(sentryPost(7));
    const text = await rig.thread(root, /Answer 1\./);
    expect(text).toMatch(/^--- from: sentry \(bot\)[^]*Started automatically: the watch app-\w{4}\./);
    const asked = told(rig.asked[0]);
    expect(asked).toContain("cart.total is not a function");
    expect(asked).toContain("| https://acme.sentry.io/issues/7/");
    expect(asked).toMatch(/\[Parley\] The message:\n\nFind the cause$/);
    expect(rig.fake.violations).toEqual([]);
  });

  it("40 times makes one thread, whose first line of Parley's says how often", async () => {
    const rig = await watching();
    const root = rig.fake.app("sentry").post(sentryPost(7));
    for (let no = 1; no < 40; no += 1) rig.fake.app("sentry").post(sentryPost(7));
    await rig.thread(root, /This event arrived 40 times\.[^]*Answer 1\./);
    expect(rig.asked.length).toBe(1);
    expect(rig.bot.list(10, null).length).toBe(1);
  });

  it("of another matter begins another thread; a count or an id in its title makes it none", async () => {
    const rig = await watching();
    const app = rig.fake.app("sentry");
    const roots = [sentryPost(7), sentryPost(8), { text: "Disk 91% full on web-12" }].map(app.post);
    for (const root of roots) await rig.thread(root, /Answer \d\./);
    app.post({ text: "Disk 92% full on web-13" });
    await rig.thread(roots[2] ?? { channel: "", ts: "" }, /This event arrived 2 times\./);
    expect(rig.bot.list(10, null).length).toBe(3);
  });

  it("asks for nothing by itself; a person who answers below it is who is asked for", async () => {
    const rig = await watching({
      answer: (_, no) =>
        no % 2 === 1 ? toolAnswer({ name: "request_mode_upgrade" }) : textAnswer("It is the cart."),
    });
    const root = rig.fake.app("sentry").post(sentryPost(7));
    expect(await rig.thread(root, /It is the cart\./)).not.toContain("[Approve]");
    rig.fake.as("alice").say("@parley then fix it", { channel: "general", thread: root.ts });
    await rig.thread(root, /\[Approve\]/);
  });

  it("that came while the host was down is heard by the next, once", async () => {
    const rig = await watching();
    const first = rig.fake.app("sentry").post(sentryPost(7));
    await rig.thread(first, /Answer 1\./);
    await heard(rig);
    await rig.close();
    const missed = rig.fake.app("sentry").post(sentryPost(8, "RangeError"));
    const other = rig.fake.app("ci").post({ text: "Build failed" });
    const next = await rig.restart();
    await next.thread(missed, /Answer 1\./);
    const last = await next.restart();
    await heard(last);
    expect(last.bot.list(10, null).length).toBe(2);
    expect(last.fake.world.thread(other.channel, other.ts).length).toBe(1);
  });
});

describe("nothing is heard", () => {
  it.each([
    ["of an app that is not listed", (rig: SlackRig) => rig.fake.app("ci").post(sentryPost(7))],
    [
      "of a listed one below another message",
      (rig: SlackRig) => {
        const { ts } = rig.fake.as("bob").say("hello", { channel: "general" });
        return rig.fake.app("sentry").post({ ...sentryPost(7), thread: ts });
      },
    ],
    [
      "in a channel that does not list it",
      (rig: SlackRig) => rig.fake.app("sentry").post({ ...sentryPost(7), channel: "other" }),
    ],
    [
      "of another Parley's line",
      (rig: SlackRig) =>
        rig.fake.app("sentry").post({
          text: "Started automatically",
          blocks: [
            { type: "section", block_id: "parley", text: { type: "mrkdwn", text: "Started automatically" } },
          ],
        }),
    ],
    [
      "of what a Parley wrote to a forge, posted by the forge's app",
      (rig: SlackRig) =>
        rig.fake.app("sentry").post({
          attachments: [
            {
              pretext: "New comment by acme-bot",
              title: "#7 Cart",
              title_link: "https://github.com/acme/api/issues/7#issuecomment-1",
              text: "It is fixed.\n\n---\n_Written by Parley for Alice, approved by Bob (conversation c-12)._",
            },
          ],
        }),
    ],
  ])("%s", async (_, post) => {
    const rig = await watching({ fake: { channels: [{ name: "general" }, { name: "other" }] } });
    post(rig);
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
    rig.fake.app("sentry").post(sentryPost(7));
    await expect.poll(() => rig.bot.list(10, null).length).toBe(1);
  });

  it("of itself, though somebody lists its own bot: its lines at the top of the channel begin nothing", async () => {
    const rig = await watching();
    await order(rig, "watch app B0PARLEY");
    await rig.slack.tell("CGENERAL", { id: "1", text: "An alert of the host" });
    await heard(rig);
    expect(rig.bot.list(10, null)).toEqual([]);
  });

  it("that no id names: what is no id is asked back, and one app is listed once", async () => {
    const rig = await watching();
    expect(await order(rig, "watch app sentry: Find it")).toContain("Name the app by its id");
    expect(await order(rig, "watch app <@B0SENTRY|sentry>")).toContain("posts of the app B0SENTRY");
    expect(await order(rig, "watch app A0SENTRY")).toMatch(
      /The watch `app-\w{4}` already receives that app here/,
    );
  });

  it("twice, where a person has asked below the post before it was heard", async () => {
    const rig = await createRig();
    const root = rig.fake.app("sentry").post(sentryPost(7));
    rig.fake.as("bob").say("@parley what is this?", { channel: "general", thread: root.ts });
    await rig.thread(root, /Answer 1\./);
    await order(rig, "watch app A0SENTRY");
    const watch = watchingOf(rig).book.all()[0]?.id ?? "";
    const event = { watch, delivery: "1", fingerprint: "f", title: "t", text: "", link: null, at: 1 };
    await watchingOf(rig).watcher.take({ ...event, post: root.ts });
    await heard(rig);
    expect(rig.asked.length).toBe(1);
  });
});
